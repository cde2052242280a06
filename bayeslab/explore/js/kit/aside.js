// Handles that would overlap step aside, so that pointer and finger find each of them.

const STEP = 2; // pixels
const AROUND = Array.from({ length: 16 }, (_, i) => [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8)]);

/**
 * Where handles stand. Of `wanted`, the most important first, each { at: [u, v], shift } stands at its own place, if
 * no other is nearer than `gap` pixels there, else as far aside as it was (`shift`), else at the nearest free place about
 * its own in an area [width, height]. One that is `held` stays as far aside as it was.
 */
export function stepAside(wanted, gap, [width, height]) {
  const taken = [];
  const free = ([u, v]) => taken.every(([s, t]) => Math.hypot(u - s, v - t) >= gap);
  for (const { at: [u, v], shift = [0, 0], held } of wanted) {
    const kept = [u + shift[0], v + shift[1]];
    let place = held ? kept : [[u, v], kept].find(free);
    for (let radius = STEP; !place && radius <= 3 * gap; radius += STEP) {
      const ring = AROUND.map(([cos, sin]) => [u + radius * cos, v + radius * sin]);
      place = ring.find((spot) => spot[0] >= 0 && spot[1] >= 0 && spot[0] <= width && spot[1] <= height && free(spot));
    }
    taken.push(place ?? [u, v]);
  }
  return taken;
}
