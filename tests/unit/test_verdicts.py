"""One fault gives one finding: causes weighed against symptoms; failures and ends of a job."""

import pytest

from gradwatch_agent import wire
from gradwatch_agent.verdicts import Answer, Case, Verdicts
from gradwatch_agent.verdicts.accounted import is_of_graphs
from gradwatch_agent.verdicts.case import amount
from gradwatch_agent.verdicts.failure import Doom, inplace_modified, second_backward
from gradwatch_agent.verdicts.life import crashed, stalled

HELLO = wire.Hello(run="r", job="train.py", host="h", pid=7, started=0.0, rank=3)
MB, GB = 10**6, 10**9
PER_S = 20


class Job:
    """One that runs for long; memory is looked at twice a second."""

    def __init__(self, bytes_per_iteration: float, *, bytes_known: int = 0) -> None:
        self.verdicts = Verdicts(HELLO)
        self.findings: list[wire.Finding] = []
        self._slope = bytes_per_iteration
        self._known = bytes_known

    def chains(self, seconds: int, *, begin: int = 0) -> None:
        """Each iteration's loss reaches 100 nodes more."""
        self._run(seconds, begin, chain=True)

    def holds(self, seconds: int, *, begin: int = 0) -> None:
        """Each iteration leaves a spent graph of 100 nodes."""
        self._run(seconds, begin, chain=False)

    def _run(self, seconds: int, begin: int, *, chain: bool) -> None:
        for number in range(seconds * PER_S):
            age = max(number - begin, 0)
            self.findings += self.verdicts.iteration(self._record(number, age, chain=chain))
            if number % (PER_S // 2) == 0:
                used = int(2 * GB + self._slope * number)
                memory = wire.Memory(
                    at=number / PER_S, iteration=number, rss_bytes=used, limit_bytes=64 * GB
                )
                self.findings += self.verdicts.memory(memory)

    def _record(self, number: int, age: int, *, chain: bool) -> wire.Iteration:
        reaches = chain and age > 0
        return wire.Iteration(
            number=number,
            at=number / PER_S,
            reached=100 * (1 + age) if chain else 100,
            stale=100 * age if chain else 0,
            oldest=number - age if reaches else None,
            proven=number - age if reaches else None,
            saved_bytes=self._known * age,
            held=0 if chain else age,
            collected=self.verdicts.detectors.suspects(0 if chain else age),
        )

    @property
    def kinds(self) -> set[str]:
        return {finding.kind for finding in self.findings}


def test_a_chain_explains_the_climb_it_makes():
    job = Job(bytes_per_iteration=100_000)
    job.chains(seconds=300)
    last = job.findings[-1]
    assert job.kinds == {"graph-chain"}
    assert last.eta_iterations == pytest.approx((62 * GB) / 100_000, rel=0.1)


def test_a_chains_saved_bytes_explain_a_climb():
    job = Job(bytes_per_iteration=3 * MB, bytes_known=3 * MB)
    job.chains(seconds=300)
    assert job.kinds == {"graph-chain"}


def test_held_graphs_explain_a_climb_and_are_critical_then():
    job = Job(bytes_per_iteration=100_000)
    job.holds(seconds=300)
    assert job.kinds == {"graph-held"}
    assert (job.findings[0].level, job.findings[-1].level) == ("warning", "critical")


def test_held_graphs_that_weigh_next_to_nothing_stay_a_warning():
    job = Job(bytes_per_iteration=1_000)
    job.holds(seconds=300)
    assert {(f.kind, f.level, f.eta_iterations) for f in job.findings} == {
        ("graph-held", "warning", None)
    }


def test_a_climb_much_bigger_than_the_chain_is_told_too():
    job = Job(bytes_per_iteration=5 * MB)
    job.chains(seconds=300)
    assert job.kinds == {"graph-chain", "memory-climb"} | ({"oom-forecast"} & job.kinds)


@pytest.mark.parametrize(
    ("grows", "level", "same"),
    [
        ("taps", "info", True),
        ("taps['student']", "info", True),
        ("taps['student'].history", "info", True),
        ("tap", "info", False),
        ("taps", "warning", False),
        (None, "info", False),
    ],
)
def test_a_climb_of_what_is_hinted_to_hold_graphs_is_no_hint_of_its_own(grows, level, same):
    hint = Case("graph-held", "info", 1, "", holder="taps['student']")
    climb = Case("memory-climb", level, 1, "", holder=grows)
    assert is_of_graphs(climb, [hint, climb]) is same


@pytest.mark.parametrize(
    ("grows", "kinds"), [("taps", {"graph-chain"}), ("rows", {"graph-chain", "memory-climb"})]
)
def test_a_climb_of_what_was_found_to_carry_the_chain_is_no_other_fault(grows, kinds):
    job = Job(bytes_per_iteration=5 * MB)
    job.verdicts.learn("graph-chain", Answer(holder="taps['student']"))
    job.verdicts.learn("memory-climb", Answer(holder=grows))
    job.chains(seconds=300)
    assert job.kinds - {"oom-forecast"} == kinds


def test_a_climb_that_turns_out_to_be_a_chain_is_resolved_in_its_favour():
    job = Job(bytes_per_iteration=100_000)
    job.chains(seconds=400, begin=250 * PER_S)
    assert [(f.kind, f.state) for f in job.findings if f.state != "updated"] == [
        ("memory-climb", "raised"),
        ("graph-chain", "raised"),
        ("memory-climb", "resolved"),
    ]


def test_a_finding_says_whose_it_is():
    found, _ = Verdicts(HELLO).event(crashed(4, "ValueError: no"), at=1.25, iteration=4)
    assert (found.run, found.job, found.host, found.pid, found.rank) == ("r", "train.py", "h", 7, 3)
    assert found.time == "1970-01-01T00:00:01.250Z"
    assert found.message == "Training ended by an exception in iteration 4: ValueError: no"


def test_an_event_is_told_when_new_and_as_it_doubles():
    verdicts = Verdicts(HELLO)
    case = Case("second-backward", "critical", 0, "It fails.", file="train.py", line=3)
    events = [verdicts.event(case, float(n), n) for n in range(100)]
    told = [found for found, news in events if news]
    assert [f.iteration for f in told] == [0] * 7  # when it was noticed first
    assert [f.state for f in told] == ["raised"] + ["updated"] * 6
    assert len({f.id for f in told}) == 1
    assert told[-1].message == "It fails. (64 times so far)"


def test_events_at_two_places_are_two_findings():
    verdicts = Verdicts(HELLO)
    cases = [Case("k", "info", 0, "m", file="f", line=line) for line in (3, 4)]
    told = [found for found, news in (verdicts.event(case, 0.0, 0) for case in cases) if news]
    assert [f.state for f in told] == ["raised", "raised"]
    assert len({f.id for f in told}) == 2


@pytest.mark.parametrize(
    ("doom", "says", "advises"),
    [
        pytest.param(
            Doom(iteration=7, built=6, node="MulBackward0", stale=10, reached=24),
            "The loss reaches nodes (MulBackward0) that were built 1 iteration earlier, in "
            "iteration 6, and freed by the backward there; 10 of its 24 nodes are old.",
            "Detach what one iteration hands to the next",
            id="carried over",
        ),
        pytest.param(
            Doom(iteration=7, built=7, node="PowBackward0"),
            "another backward of the same iteration has already freed",
            "Add the losses and call backward once",
            id="twice in one iteration",
        ),
        pytest.param(
            Doom(iteration=7, built=4, node="PowBackward0", fresh=False),
            "walks the graph of iteration 4 again",
            "compute it anew for this one",
            id="an old graph as it is",
        ),
        pytest.param(
            Doom(iteration=7, built=None, node=""),
            "This backward needs buffers that an earlier backward freed.",
            "Add the losses",
            id="no more is known",
        ),
    ],
)
def test_a_second_backward_in_words(doom, says, advises):
    case = second_backward(doom)
    assert (case.kind, case.level, case.since) == ("second-backward", "critical", 7)
    assert says in case.message
    assert advises in (case.suggestion or "")


def test_an_inplace_change_in_words():
    error = (
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [torch.FloatTensor [128, 1]], which is output 0 of AsStridedBackward0, is at "
        "version 2; expected version 1 instead. Hint: enable anomaly detection."
    )
    assert inplace_modified(3, error).message == (
        "A tensor that backward needs was changed in place: [torch.FloatTensor [128, 1]], which "
        "is output 0 of AsStridedBackward0, is at version 2, expected version 1."
    )
    assert "a saved tensor" in inplace_modified(3, "other words").message


@pytest.mark.parametrize(
    ("silent_s", "usual_s", "cpu_share", "expected"),
    [
        pytest.param(299, 0.1, 0.0, False, id="idle for less than five minutes"),
        pytest.param(301, 0.1, 0.0, True, id="idle for more than five minutes"),
        pytest.param(301, 0.1, 0.9, False, id="busy for five minutes"),
        pytest.param(901, 0.1, 0.9, True, id="busy for a quarter of an hour"),
        pytest.param(901, 30, 0.0, False, id="idle for thirty slow iterations"),
        pytest.param(1_501, 30, 0.0, True, id="idle for fifty slow iterations"),
    ],
)
def test_stalled(silent_s, usual_s, cpu_share, expected):
    case = stalled(12, silent_s, usual_s, cpu_share)
    assert (case is not None) == expected
    assert case is None or (case.kind, case.level, case.since) == ("stalled", "warning", 12)


def test_nothing_stalls_before_the_first_iteration():
    assert stalled(-1, 10_000, 0.0, 0.0) is None


def test_crashed_before_the_first_iteration():
    case = crashed(-1, "E: x")
    assert (case.kind, case.level, case.since) == ("crashed", "critical", 0)


@pytest.mark.parametrize(
    ("size", "words"), [(999, "999 B"), (999_400, "999 kB"), (999_600, "1 MB"), (48e6, "48 MB")]
)
def test_an_amount_just_below_a_unit_is_told_in_that_unit(size: int, words: str):
    assert amount(size) == words
