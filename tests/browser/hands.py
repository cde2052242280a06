"""Hands of students: a mouse that trembles, a finger on a phone, and keys, which all do the same to a picture."""

import re
from typing import ClassVar

import numpy as np
from test_touch import PHONE, swipe

TREMOR = 3  # pixels, in each direction
MARGINS = [62, 52]  # pixels of the canvas beside the window
COORDINATE = re.compile(r" (−?[\d.]+)(?=[,:])")


class Mouse:
    """Somebody with a mouse, who reads the axes and aims at places in the data."""

    page: ClassVar = {"viewport": (1180, 1000)}  # options of `show`

    def __init__(self, screen, seed=0):
        self.screen, self.rng = screen, np.random.default_rng(seed)
        self.look()

    def look(self):
        """Read off the line under the plot what the window is."""
        box = self.box()
        self.pixels = np.array([[0.3, 0.7], [0.7, 0.3]]) * [box["width"], box["height"]]
        places = []
        for pixel in self.pixels + self.corner():
            self.screen.page.mouse.move(*pixel)
            self.screen.settle()
            found = COORDINATE.findall(self.screen.text("place"))
            places.append([float(number.replace("−", "-")) for number in found])
        self.place = np.array(places[0])
        self.units = np.subtract(*places) / np.subtract(*self.pixels)

    def box(self):
        self.screen.part("plot").scroll_into_view_if_needed()
        return self.screen.part("plot").bounding_box()

    def corner(self):
        return np.array([self.box()["x"], self.box()["y"]])

    def pixel(self, place):
        return self.corner() + self.pixels[0] + (np.asarray(place) - self.place) / self.units

    def trembling(self, pixel):
        return pixel + self.rng.uniform(-TREMOR, TREMOR, 2)

    # What it does

    def mean(self, k, *place):
        """Bring the mean of a class to a place."""
        target = self.pixel(place)
        self.pull(self.screen.handle(k), target)

    def ring(self, k, *axis):
        """Make this vector, one σ long, an axis of a class, by the ring that lies in about its direction."""
        self.box()
        middle, wanted = self.screen.meant(self.screen.handle(k)), 2 * np.asarray(axis) / self.units
        rings = [self.screen.handle(k, kind) for kind in ("axis1", "axis2")]
        ways = [self.screen.meant(ring) - middle for ring in rings]
        along = [way @ wanted / np.linalg.norm(way) for way in ways]
        nearest = np.abs(along).argmax()
        self.pull(rings[nearest], middle + np.sign(along[nearest]) * wanted)

    def pull(self, handle, target):
        """Take hold of a handle and bring what it stands for to a pixel."""
        aside = self.screen.middle(handle) - self.screen.meant(handle)
        self.drag(self.trembling(self.screen.middle(handle)), self.trembling(target + aside))

    def drag(self, start, end):
        self.screen.drag(start, end - start)

    def press(self, *place):
        """Press a place of the picture."""
        self.screen.page.mouse.click(*self.trembling(self.pixel(place)))
        self.screen.settle()

    def choose(self, **choices):
        for name, value in choices.items():
            self.use(self.screen.part(f"{name}-{value}").locator("xpath=following-sibling::span"))

    def click(self, *names):
        for name in names:
            self.use(self.screen.part(name))

    def use(self, control):
        control.click()
        self.screen.settle()

    def type(self, name, text):
        self.screen.type(name, text)


class Finger(Mouse):
    """Somebody with a phone."""

    page: ClassVar = {"viewport": (400, 700), **PHONE}

    def drag(self, start, end):
        swipe(self.screen, (start, end))

    def press(self, *place):
        self.screen.page.touchscreen.tap(*self.trembling(self.pixel(place)))
        self.screen.settle()

    def use(self, control):
        control.tap()
        self.screen.settle()


class Keys(Mouse):
    """Somebody without a pointer: arrows go a hundredth of the window, with Shift a tenth."""

    def pull(self, handle, target):
        handle.focus()
        self.steer(handle, target - self.screen.meant(handle))

    def steer(self, element, way):
        size = 0.01 * (np.array([self.box()["width"], self.box()["height"]]) - MARGINS)
        right, down = np.rint(way / size).astype(int)
        for steps, key in (
            (right, "ArrowRight" if right > 0 else "ArrowLeft"),
            (down, "ArrowDown" if down > 0 else "ArrowUp"),
        ):
            for shift in ["Shift+"] * (abs(steps) // 10) + [""] * (abs(steps) % 10):
                element.press(shift + key)
        self.screen.settle()

    def press(self, *place):
        plot = self.screen.part("plot")
        plot.focus()
        self.steer(plot, self.pixel(place) - self.screen.middle(self.screen.part("cross")))
        plot.press("Enter")
        self.screen.settle()

    def choose(self, **choices):
        for name, value in choices.items():
            self.use(self.screen.part(f"{name}-{value}"))

    def use(self, control):
        control.press("Space")
        self.screen.settle()
