"""NIST's Statistical Reference Datasets for univariate summary statistics, with their certified means and deviations.

Source: NIST, Statistical Reference Datasets, Univariate Summary Statistics (a US government work, public domain).
Three of the sets are measurements, one is a lottery; the others follow a rule and are made by it. A test checks every
set against its certified values with mpmath, so a wrong number here would be seen.
"""

import mpmath
import numpy as np

LEW = """-213 -564 -35 -15 141 115 -420 -360 203 -338 -431 194 -220 -513 154 -125 -559 92 -21 -579 -52 99 -543 -175 162
-457 -346 204 -300 -474 164 -107 -572 -8 83 -541 -224 180 -420 -374 201 -236 -531 83 27 -564 -112 131 -507 -254 199
-311 -495 143 -46 -579 -90 136 -472 -338 202 -287 -477 169 -124 -568 17 48 -568 -135 162 -430 -422 172 -74 -577 -13 92
-534 -243 194 -355 -465 156 -81 -578 -64 139 -449 -384 193 -198 -538 110 -44 -577 -6 66 -552 -164 161 -460 -344 205
-281 -504 134 -28 -576 -118 156 -437 -381 200 -220 -540 83 11 -568 -160 172 -414 -408 188 -125 -572 -32 139 -492 -321
205 -262 -504 142 -83 -574 0 48 -571 -106 137 -501 -266 190 -391 -406 194 -186 -553 83 -13 -577 -49 103 -515 -280 201
300 -506 131 -45 -578 -80 138 -462 -361 201 -211 -554 32 74 -533 -235 187 -372 -442 182 -147 -566 25 68 -535 -244 194
-351 -463 174 -125 -570 15 72 -550 -190 172 -424 -385 198 -218 -536 96"""
LOTTERY = """162 671 933 414 788 730 817 33 536 875 670 236 473 167 877 980 316 950 456 92 517 557 956 954 104 178 794
278 147 773 437 435 502 610 582 780 689 562 964 791 28 97 848 281 858 538 660 972 671 613 867 448 738 966 139 636 847
659 754 243 122 455 195 968 793 59 730 361 574 522 97 762 431 158 429 414 22 629 788 999 187 215 810 782 47 34 108 986
25 644 829 630 315 567 919 331 207 412 242 607 668 944 749 168 864 442 533 805 372 63 458 777 416 340 436 140 919 350
510 572 905 900 85 389 473 758 444 169 625 692 140 897 672 288 312 860 724 226 884 508 976 741 476 417 831 15 318 432
241 114 799 955 833 358 935 146 630 830 440 642 356 373 271 715 367 393 190 669 8 861 108 795 269 590 326 866 64 523
862 840 219 382 998 4 628 305 747 247 34 747 729 645 856 974 24 568 24 694 608 480 410 729 947 293 53 930 223 203 677
227 62 455 387 318 562 242 428 968"""
MAVRO = """180 170 180 190 180 170 150 140 150 150 170 180 180 190 190 210 200 160 140 130 130 150 150 160 150 140 130
140 150 140 150 160 150 160 190 200 200 210 220 230 240 250 270 260 260 260 270 260 250 240"""
MICHELSO = """850 740 900 1070 930 850 950 980 980 880 1000 980 930 650 760 810 1000 1000 960 960 960 940 960 940 880
800 850 880 900 840 830 790 810 880 880 830 800 790 760 800 880 880 880 860 720 720 620 860 970 950 880 910 850 870 840
840 850 840 840 840 890 810 810 820 800 770 760 740 750 760 910 920 890 860 880 720 840 850 850 780 890 840 780 810 760
810 790 810 820 850 870 870 810 740 810 940 950 800 810 870"""


def integers(text: str) -> list[int]:
    """Read the numbers of a text."""
    return [int(word) for word in text.split()]


def digits_of_pi() -> list[int]:
    """Return the 5000 first digits of π, 3 included, as NIST certified them.

    NIST's mean and deviation belong to a list in which exactly one 8 stands as a 3: the sum of the true digits is 5
    larger than certified, the sum of their squares 55 = 8² − 3². Which 8 it is does not matter to the moments.
    """
    with mpmath.workdps(5010):
        digits = [int(digit) for digit in mpmath.nstr(mpmath.pi, 5005).replace(".", "")[:5000]]
    digits[digits.index(8)] = 3
    return digits


def alternating(first: str, low: str, high: str) -> list[str]:
    """Return `first`, then 500 times `low` and `high` in turn."""
    return [first, *([low, high] * 500)]


# Name: values as decimal numbers, certified mean, certified standard deviation (with n − 1).
STRD = {
    "Lew": (integers(LEW), "-177.4350000000000", "277.332168044316"),
    "Lottery": (integers(LOTTERY), "518.958715596330", "291.699727470969"),
    "Mavro": ([f"2.00{value}" for value in MAVRO.split()], "2.00185600000000", "0.000429123454003053"),
    "Michelso": (
        [f"{299 + value // 1000}.{value % 1000:03d}" for value in integers(MICHELSO)],
        "299.852400000000",
        "0.0790105478190518",
    ),
    "PiDigits": (digits_of_pi(), "4.53480000000000", "2.86733906028871"),
    "NumAcc1": ([10000001, 10000003, 10000002], "10000002", "1"),
    "NumAcc2": (alternating("1.2", "1.1", "1.3"), "1.2", "0.1"),
    "NumAcc3": (alternating("1000000.2", "1000000.1", "1000000.3"), "1000000.2", "0.1"),
    "NumAcc4": (alternating("10000000.2", "10000000.1", "10000000.3"), "10000000.2", "0.1"),
}


def moments_in_decimal(values) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Mean and standard deviation of these numbers (of doubles: of exactly what is stored) with 50 digits."""
    with mpmath.workdps(50):
        exact = [mpmath.mpf(value) for value in values]
        mean = mpmath.fsum(exact) / len(exact)
        return mean, mpmath.sqrt(mpmath.fsum((x - mean) ** 2 for x in exact) / (len(exact) - 1))


def doubles(name: str) -> np.ndarray:
    """Return the values of a set as floating point stores them."""
    return np.array([float(value) for value in STRD[name][0]])
