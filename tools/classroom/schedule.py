"""Weeks of a course: which notebook is for the class, and which for home, by minutes and by what each builds on."""

from functools import cache


def into_weeks(minutes, n_weeks):
    """Cut a list of notebooks, in order, into weeks that are as equal as can be: least sum of squared minutes.

    Parameters
    ----------
    minutes : dict
        Number of the notebook → its minutes, in the order of the course.
    n_weeks : int
        At most as many as there are notebooks.

    Returns
    -------
    list of lists of numbers
    """
    numbers = list(minutes)

    @cache
    def best(start, left):
        """Return the least sum from this place on, and the weeks that have it."""
        if left == 1:
            return sum(minutes[number] for number in numbers[start:]) ** 2, [numbers[start:]]
        found = []
        for end in range(start + 1, len(numbers) - left + 2):
            rest, weeks = best(end, left - 1)
            first = numbers[start:end]
            found.append((rest + sum(minutes[number] for number in first) ** 2, [first, *weeks]))
        return min(found)

    return best(0, n_weeks)[1]


def for_class(week, minutes, needs):
    """Return the notebook of a week that most others build on; of several such the longest, of these the first."""
    return max(week, key=lambda number: (sum(number in of_other for of_other in needs.values()), minutes[number]))
