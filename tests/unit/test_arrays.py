"""How the elements of numpy's arrays of objects are asked for."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from gradwatch_agent.naming.arrays import objects_in


@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (0,)])
def test_each_is_what_its_label_asks_for(shape):
    array = np.empty(shape, dtype=object)
    for number, place in enumerate(np.ndindex(shape)):
        array[place] = str(number)
    things, labels = objects_in(array)
    assert [array[ast.literal_eval(label[1:-1])] for label in labels] == things
    assert len(things) == array.size


def test_numbers_are_not_looked_at():
    things, _ = objects_in(np.zeros(3))
    assert things == []
