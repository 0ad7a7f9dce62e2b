"""The data sets: the figures of the notebooks, the generators, the real data, and a user's own file."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from plahelpers import datasets, guarantee
from plahelpers.datasets import (
    Data,
    credit,
    noisy,
    personal,
    read,
    running_example,
    spam,
)
from plahelpers.hypothesis import predict, with_bias

SEEDS = st.integers(0, 2**32)


# --- Data -------------------------------------------------------------------------------------------


def test_data_unpack_speak_in_one_sentence_and_name_their_columns():
    data = running_example()
    X, y = data
    assert (X is data.X, y is data.y, len(data)) == (True, True, 20)
    assert repr(data) == "20 examples of 2 features, 7 positive: the running example"
    assert Data([[5, 6]], [-1]).names == ("x1", "x2")
    assert repr(Data([[5]], [-1])) == "1 example of 1 feature, 0 positive: your own data"


# --- the running examples ---------------------------------------------------------------------------


def test_the_running_example_its_order_and_the_textbook_example_are_what_the_text_says_they_are():
    expected = np.random.RandomState(42).uniform(-5, 5, (20, 2))
    data = running_example()
    assert np.array_equal(data.X, expected)
    assert np.array_equal(data.y, [1 if -1 + 2 * a - b > 0 else -1 for a, b in expected])
    assert np.count_nonzero(data.y == 1) == 7
    assert data.target.tolist() == [-1, 2, -1]
    assert " ".join(map(str, datasets.running_order())) == "15 16 4 9 8 19 10 5 18 12 17 1 3 0 13 2 14 7 11 6"
    X, y = datasets.textbook_example()
    assert (X.tolist(), y.tolist()) == ([[3, 3], [4, 3], [1, 1]], [1, 1, -1])


# --- generators -------------------------------------------------------------------------------------


@given(N=st.integers(1, 40), d=st.integers(1, 5), margin=st.floats(0, 0.3), low=st.floats(-20, 20), seed=SEEDS)
def test_separable_data_stay_in_their_box_and_have_the_margin_asked_for(N, d, margin, low, seed):
    margin = margin / max(1, abs(low))  # far from the origin w₀ dominates ‖w‖, and margins are small
    data = datasets.separable(N, d, margin=margin, low=low, high=low + 2, rng=seed)
    assert data.X.shape == (N, d)
    assert low <= data.X.min() <= data.X.max() <= low + 2
    assert np.all(data.y * (with_bias(data.X) @ data.target) > 0)  # in another order of summation, too
    assert guarantee.margin(*data, data.target) >= margin


@given(weights=st.lists(st.floats(-5, 5), min_size=3, max_size=3), seed=SEEDS)
def test_a_given_target_labels_the_points_and_is_copied(weights, seed):
    assume(abs(weights[1]) + abs(weights[2]) - abs(weights[0]) > 0.1)
    target = np.array(weights)
    data = datasets.separable(20, target=target, rng=seed)
    assert np.array_equal(predict(weights, data.X), data.y)
    target[:] = 9
    assert data.target.tolist() == weights
    assert set(datasets.separable(20, target=[1, 0, 0], margin=0.9, rng=seed).y) == {1}  # + everywhere: one class


@pytest.mark.parametrize(("d", "margin"), [(1, 0.0), (2, 0.2), (10, 0.2)])
def test_a_random_target_leaves_room_on_both_sides(d, margin):
    for k in range(20):  # so that both classes occur in any large sample
        assert set(datasets.separable(2000, d, margin=margin, rng=k).y) == {-1, 1}


def test_noise_flips_about_as_many_labels_of_separable_data_as_it_says():
    clean = datasets.separable(100_000, rng=0)
    for noise in (0, 0.3, 1):
        data = noisy(100_000, noise=noise, rng=0)
        assert np.array_equal(data.X, clean.X)
        assert np.array_equal(data.target, clean.target)
        assert abs(np.mean(data.y != clean.y) - noise) <= 5 * np.sqrt(noise * (1 - noise) / 100_000)


@given(st.integers(1, 30), SEEDS)
def test_the_same_seed_gives_the_same_data_and_a_smaller_sample_is_the_beginning_of_a_larger_one(N, seed):
    first, second = noisy(20, rng=seed), noisy(20, rng=np.random.default_rng(seed))
    assert np.array_equal(np.column_stack([*first]), np.column_stack([*second]))
    small, large = (datasets.separable(size, margin=0.1, rng=seed) for size in (N, 40))
    assert np.array_equal(small.X, large.X[:N])
    assert not np.array_equal(datasets.separable(5).X, datasets.separable(5).X)  # without a seed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"N": 0}, "N must be at least 1"),
        ({"N": 5, "target": [0, 0, 0]}, "target must not be zero everywhere"),
        ({"N": 5, "margin": 2}, "margin = 2 is too large: none of 200"),
        ({"N": 5, "d": 3, "target": [0, 1, 1, 1], "margin": 1.73}, r"only \d+ are so far from the line, and 5 are"),
        ({"N": 5, "noise": 1.5}, "noise must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be_generated_is_a_clear_error(arguments, message):
    with pytest.raises((ValueError, TypeError), match=message):
        datasets.separable(**arguments) if "noise" not in arguments else noisy(**arguments)


# --- real data --------------------------------------------------------------------------------------


def test_credit_is_what_its_source_says():
    """1319 applicants of whom 1023 were accepted; seven ages under 18, all under 1; and the first applicant."""
    data = credit()
    assert data.X.shape == (1319, 9)
    assert np.count_nonzero(data.y == 1) == 1023
    age = data.X[:, data.names.index("age")]
    assert np.count_nonzero(age < 18) == np.count_nonzero(age < 1) == 7
    assert " ".join(data.names) == "reports age income owner selfemp dependents months majorcards active"
    assert data.X[0].tolist() == [0, 37.66667, 4.52, 1, 0, 3, 54, 1, 12]


def test_spam_has_4601_mails_of_which_1813_are_spam_and_the_ranges_that_spambase_prints():
    data = spam()
    assert data.X.shape == (4601, 6)
    assert data.names == ("crl.tot", "dollar", "bang", "money", "n000", "make")
    assert np.count_nonzero(data.y == 1) == 1813
    # From the documentation of Spambase at UCI: the least and the largest value of each of these attributes.
    assert data.X.max(axis=0).tolist() == [15841, 6.003, 32.478, 12.5, 5.45, 4.54]
    assert data.X.min(axis=0).tolist() == [1, 0, 0, 0, 0, 0]


# --- a user's own file --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "1,2,+1\n3,4,-1\n",
        "\n\n1, 2, 1.0\n   \n3, 4, -1.0  \n\n",
        "1 2\t+1\r\n3 4\t-1\r\n",  # the course's own files: blanks between features, a tab before the label
        "\ufeff1\t2\t1\n3\t4\t-1",  # with a mark of the byte order, as Windows writes it
        "# x1 x2 y\n1 2 1e0\n3 4 -1\n",  # numpy.savetxt's header
        '"x1" "x2" "y"\n1 2 "1"\n3 4 "-1"\n',  # R's write.table
    ],
)
def test_every_usual_separator_line_end_and_header_is_read(tmp_path, content):
    file = tmp_path / "data.csv"
    file.write_text(content, encoding="utf-8", newline="")
    data = read(file)
    assert (data.X.tolist(), data.y.tolist(), data.names) == ([[1, 2], [3, 4]], [1, -1], ("x1", "x2"))
    assert repr(data).endswith(f": read from {file}")


def test_positive_names_the_label_that_is_plus_one_and_a_header_the_columns(tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("Größe,Länge,y\n1,5,spam\n2,6,ham\n3,7,spam\n", encoding="utf-8")
    data = read(str(file), positive="spam")
    assert (data.y.tolist(), data.names) == ([1, -1, 1], ("Größe", "Länge"))


@pytest.mark.parametrize(
    ("content", "positive", "message"),
    [
        ("5,ham\n5,spam\n", None, "the labels are 'ham', 'spam'; of two labels, say which one is"),
        ("1,yes\n2,no\n\n3,maybe\n", "yes", "the labels are 'yes', 'no', 'maybe'; of two labels"),
        ("1,2,1\n\n3,4,-1\n5,1\n", None, "different lengths. Row 2 has the length 1, row 0 2"),
        ("age,income,card\n1,2,1\n5,abc,1", None, "numbers only: at row 1, column 1 it holds 'abc'"),
        ("1,2,1\n,4,-1\n", None, "at row 1, column 0 it holds ''"),
        ("a,b\n\n", None, "holds no examples"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_file_and_its_place(tmp_path, content, positive, message):
    (tmp_path / "bad.csv").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=f"bad.csv.*{message}"):
        read(tmp_path / "bad.csv", positive=positive)


# --- Data of one's own, made from a name -----------------------------------------------------------------------------


def first_number(name):
    return personal.generator("test", name).uniform()


def test_one_name_written_in_two_ways_is_one_person_and_another_name_or_purpose_gets_other_numbers():
    for one, same in [("Zoë", "Zoe\u0308"), (" B1\n", "b1"), (12, "12")]:
        assert first_number(one) == first_number(same)
    names = ["7", "Zoë", "../x", "a b\tc", "'; DROP TABLE", "🦉" * 40]
    assert len({first_number(name) for name in names} | {personal.generator("other", "7").uniform()}) == 7


def test_what_is_no_name_is_told_how_to_write_it():
    with pytest.raises(personal.EmptyId, match="Put your student id between the quotes"):
        first_number(" \n")
    for odd in (None, True):
        with pytest.raises(TypeError, match="your id in quotes"):
            first_number(odd)
