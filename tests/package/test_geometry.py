"""The plane: the box around points, the line in it, half-planes, and how often two perceptrons disagree."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from plahelpers import predict, running_example
from plahelpers.geometry import Box, box_around, disagreement, line_in_box

BOX = Box(-2.0, 3.0, -1.0, 4.0)
places = st.integers(1, 6).flatmap(lambda N: arrays(np.float64, (N, 2), elements=st.floats(-1e6, 1e6)))
weights = arrays(np.float64, 3, elements=st.floats(-10, 10).map(lambda value: round(value, 3)))


@given(places, st.sampled_from([1e-70, 1e-9, 1.0, 1e9, 1e70]))
def test_a_box_has_room_around_all_points_at_every_scale(X, scale):
    X = X * scale
    box = box_around(X)
    room = np.array(box.spans) * 0.05
    assert (X.min(axis=0) - room >= [box.left, box.bottom]).all()
    assert (X.max(axis=0) + room <= [box.right, box.top]).all()


@pytest.mark.parametrize(
    ("X", "spans"),
    [
        (running_example().X, 1.16 * np.ptp(running_example().X, axis=0).max()),
        ([[0.0, 0.0], [10.0, 2.1]], 11.6),
        ([[0.0, 0.0], [10.0, 1.9]], (11.6, 2.204)),  # a square would hide the second feature
        ([[2.0, 0.0], [2.0, 1.0]], 1.16),  # on an upright line
        ([[0.0, 3.0], [10.0, 3.0]], 11.6),  # on a level one
        ([[0.1, 0.2]], 1.16),  # one point, seen from as far as the unit
        ([], 10.0),  # no points: around the origin
    ],
)
def test_a_box_is_square_unless_that_would_hide_one_feature(X, spans):
    assert box_around(X).spans == pytest.approx(np.broadcast_to(spans, 2), rel=1e-6)


@given(weights, st.sampled_from([1e-300, 1.0, 1e70]))
def test_a_line_satisfies_its_equation_and_goes_from_edge_to_edge_at_every_scale(w, scale):
    ends = line_in_box(w * scale, BOX)
    values = w[0] + BOX.corners @ w[1:]
    if values.min() < -1e-9 and values.max() > 1e-9:
        assert len(ends) == 2
    if len(ends):
        assert np.abs(w[0] + ends @ w[1:]).max() <= 1e-9 * np.abs(w).max()
        to_edges = np.abs(np.column_stack([ends, ends]) - [BOX.left, BOX.bottom, BOX.right, BOX.top])
        assert (to_edges.min(axis=1) < 1e-9).all()
    elif w[1:].any():
        assert values.min() >= -1e-9 or values.max() <= 1e-9


@pytest.mark.parametrize(
    ("w1", "w2", "share"),
    [
        ([0, 1, 0], [0, 0, 1], 1 / 2),  # the two axes: opposite quarters
        ([0, 1, 0], [0, -1, 0], 1),  # opposite answers everywhere
        ([0, 1, 0], [0, 7, 0], 0),  # the same line
        ([0, 1], [-0.5, 1], 1 / 4),  # thresholds 0 and ½ on [−1, 1]
        ([0, 0, 0], [1, 0, 0], 1),  # all −1 against all +1
        ([-9, 1, 1], [-1, 0, 0], 0),  # a line outside the box says −1 on all of it
    ],
)
def test_disagreement_of_lines_whose_areas_are_known(w1, w2, share):
    assert disagreement(w1, w2) == pytest.approx(share, abs=1e-12)


def test_disagreement_is_what_counting_random_points_says_either_way():
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 3, (200_000, 2))
    for w1, w2 in rng.normal(size=(20, 2, 3)):
        counted = np.mean(predict(w1, X) != predict(w2, X))
        # five standard deviations of a mean of 200,000 draws
        assert disagreement(w1, w2, low=-2, high=3) == pytest.approx(counted, abs=5 * 0.5 / np.sqrt(200_000))
        assert disagreement(w2, w1) == pytest.approx(disagreement(w1, w2), abs=1e-9)


def test_disagreement_says_what_to_do_in_more_dimensions_and_with_what_does_not_fit():
    with pytest.raises(ValueError, match=r"d = 3.*numpy\.mean"):
        disagreement([1, 2, 3, 4], [1, 2, 3, 4])
    with pytest.raises(ValueError, match="one size"):
        disagreement([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="empty"):
        disagreement([1, 2], [1, 2], low=1, high=1)
