"""What a tired person is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gradwatch.model import Job, Link
from gradwatch.tui import facts, rows
from gradwatch.tui.banner import verdict_lines
from gradwatch.tui.tables import Column, row
from gradwatch.tui.verdict import TITLES, verdict
from gradwatch_agent import wire

from . import histories


def folded(scene: histories.Scene) -> Job:
    job = Job(scene.key)
    for event in scene.events:
        job.fold(event)
    return job


def test_a_healthy_job_is_told_what_was_checked():
    scene = histories.healthy()
    said = verdict(folded(scene), scene.now)
    assert (said.title, said.level, said.when) == ("HEALTHY", "good", "312 iterations watched")
    assert said.message == (
        "The loss reaches 1,204 nodes, all built in its own iteration. No earlier graph is held. "
        "Every backward succeeded. No steady climb of memory, now 512 MB."
    )


def test_a_count_that_is_old_is_told_with_its_date():
    scene = histories.Scene()
    for i in range(100):
        scene.step(new=14, census=i < 20)
    said = verdict(folded(scene), scene.now)
    assert said.message.startswith(
        "When last counted, in iteration 19, the loss reached 14 nodes, all built in its own"
    )


def test_a_young_job_is_healthy_so_far():
    scene = histories.healthy(5)
    assert verdict(folded(scene), scene.now).title == "HEALTHY SO FAR"


def test_a_chain_is_told_with_its_newest_numbers_and_the_end_of_memory():
    scene = histories.chain()
    said = verdict(folded(scene), scene.now)
    assert (said.title, said.level) == ("GRAPH GROWS", "critical")
    assert said.when == "since iteration 2, 45 s ago"
    assert said.facts == "By now 311 iterations: 3,110 of 3,124 nodes are old (99 %)."
    assert said.ahead == "Memory is full in about 1,100 iterations, 4 min."
    assert (said.place, said.code, said.holder) == ("train.py:19", "Yest = Yest + w*X", "Yest")


def test_a_chain_that_slows_its_job_down_is_told_to():
    scene = histories.chain()
    job = folded(scene)
    said = verdict(job, scene.now)
    assert said.costs == "An iteration takes 210 ms, 84 ms at first."
    cells = "".join(text for line in verdict_lines(said, "", 120, 35) for text, _ in line)
    assert said.costs in cells
    young = histories.chain(100)
    assert verdict(folded(young), young.now).costs == ""
    hint = next(f for f in job.open_findings if f.kind == "retain-needless")
    assert verdict(job, scene.now, hint).costs == ""


def test_where_not_all_can_be_told_it_is_what_will_come_of_it():
    scene = histories.chain()
    said = replace(verdict(folded(scene), scene.now), message="word " * 48)
    rows = ["".join(t for t, _ in line).strip() for line in verdict_lines(said, "", 80, 24)]
    told = " ".join(rows[1 : next(i for i, row in enumerate(rows) if row.startswith("where"))])
    assert told.endswith(f"word {said.ahead}")


def test_costs_in_time_take_no_row_from_the_curves_of_a_low_screen():
    scene = histories.chain()
    said = replace(verdict(folded(scene), scene.now), facts="", ahead="", message="word " * 15)
    assert "".join(t for t, _ in verdict_lines(said, "", 80, 24)[2]).strip().startswith("where")


def test_a_forecast_of_weeks_is_no_news():
    scene = histories.chain()
    scene.find("oom-forecast", "critical", "m", id="m", eta_iterations=10_000_000)
    job = folded(scene)
    assert verdict(job, scene.now, job.findings["m"]).facts == ""


def test_a_held_graph_is_told_with_how_many_are_held_now():
    scene = histories.held()
    said = verdict(folded(scene), scene.now)
    assert (said.title, said.level) == ("GRAPH HELD", "warning")
    assert said.facts == "By now 311 earlier graphs are held."


def test_and_that_there_may_be_more_where_iterations_went_by_unseen():
    scene = histories.held()
    scene.find("graph-held", "warning", "The graphs of at least 96 earlier iterations are kept.")
    assert verdict(folded(scene), scene.now).facts == "By now at least 311 earlier graphs are held."


def test_of_graphs_that_go_by_unseen_only_those_looked_at_are_told():
    scene = histories.held()
    scene.events.append(wire.Iteration(number=999, at=scene.now, held=7, count=3))
    assert verdict(folded(scene), scene.now).facts == "By now 7 of the graphs looked at are held."


def test_a_crash_keeps_its_cause_in_the_title_and_tells_its_end():
    scene = histories.crashed()
    said = verdict(folded(scene), scene.now + 5)
    assert said.title == "CRASHED · BACKWARD TWICE"
    assert said.end.startswith("Crashed at 08:53:20, 5 s ago, after iteration 0: RuntimeError")


def test_an_error_that_the_finding_tells_is_told_once():
    scene = histories.Scene()
    scene.step()
    message = "Training ended by an exception in iteration 1: KeyError: 'validation'"
    scene.find("crashed", "critical", message, since_iteration=1)
    scene.end("crashed", "KeyError: 'validation'")
    said = verdict(folded(scene), scene.now + 5)
    assert said.message == message
    assert said.end == "Crashed at 08:53:20, 5 s ago, after iteration 0."


def test_memory_that_has_risen_is_not_called_steady_before_it_is_known_what_it_is():
    scene = histories.Scene()
    for number in range(100):
        scene.step(rss_bytes=500_000_000 + 1_000_000 * number)
        if number == 15:
            begins = verdict(folded(scene), scene.now).message
    said = verdict(folded(scene), scene.now).message
    assert "too early to say whether it climbs" in begins
    assert "No steady climb" not in said
    assert "MB since iteration 30, now" in said


def test_a_crash_without_another_finding():
    scene = histories.healthy()
    scene.end("crashed", "KeyError: 'x'")
    said = verdict(folded(scene), scene.now)
    assert (said.title, said.level) == ("CRASHED", "critical")
    assert said.message.endswith("KeyError: 'x'.")


def test_a_lost_job_that_had_a_fault_keeps_both():
    scene = histories.chain()
    scene.events.append(Link(up=False, why="no beat for 3 s", at=scene.now))
    assert verdict(folded(scene), scene.now).title == "LOST · GRAPH GROWS"


def test_a_hint_does_not_make_a_job_ill():
    scene = histories.healthy()
    scene.find("retain-needless", "info", "retain_graph=True is not needed.")
    said = verdict(folded(scene), scene.now)
    assert (said.title, said.level) == ("HEALTHY, A HINT: RETAIN NEEDLESS", "good")


def test_a_chosen_finding_is_told_though_another_is_graver():
    scene = histories.chain()
    job = folded(scene)
    hint = next(f for f in job.open_findings if f.level == "info")
    assert verdict(job, scene.now, hint).title == "RETAIN NEEDLESS"


def test_a_resolved_finding_is_told_to_be_over():
    scene = histories.chain()
    scene.find("graph-chain", "critical", "No longer so.", state="resolved", eta_iterations=5)
    job = folded(scene)
    said = verdict(job, scene.now, job.findings["graph-chain@2"])
    assert (said.title, said.level, said.facts) == ("RESOLVED: GRAPH GROWS", "quiet", "")


def test_parts_that_are_off_are_named_as_not_checked():
    scene = histories.healthy()
    scene.beat(off=("census", "holders"))
    said = verdict(folded(scene), scene.now)
    assert said.facts == "Not checked, switched off after a failure: census, holders."


def test_bounded_reach_is_healthy_and_said():
    scene = histories.Scene()
    for i in range(40):
        scene.step(stale=30, oldest=max(0, i - 3))
    said = verdict(folded(scene), scene.now)
    assert said.title == "HEALTHY"
    assert "30 of earlier iterations, 3 back at most; that does not grow." in said.message


def test_an_unknown_kind_speaks_for_itself():
    scene = histories.healthy()
    scene.find("brand-new-kind", "warning", "Something.")
    assert verdict(folded(scene), scene.now).title == "BRAND NEW KIND"


def test_every_kind_of_the_contract_has_a_title():
    assert set(TITLES) == {
        "graph-chain", "graph-held", "second-backward", "inplace-modified", "retain-needless",
        "graph-unused", "grads-accumulate", "memory-climb", "oom-forecast", "stalled", "lost",
        "crashed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("file", "line", "place"),
    [
        ("/home/ada/train/train.py", 19, "train.py:19"),
        ("/home/ada/train/models/rnn.py", 7, "models/rnn.py:7"),
        ("/usr/lib/python3/site-packages/lightning/loop.py", 7, "lightning/loop.py:7"),
        ("C:\\Users\\ada\\train.py", 3, "C:/Users/ada/train.py:3"),
        ("train.py", None, "train.py"),
        (None, None, ""),
    ],
)
def test_places_are_short_and_clear(file, line, place):
    assert facts.place_of(folded(histories.Scene()), file, line) == place


def test_findings_are_listed_open_first_resolved_last():
    scene = histories.chain()
    scene.find("memory-climb", "warning", "m", id="m", state="resolved")
    scene.find("graph-held", "warning", "h", id="h")
    kinds = [finding.kind for finding in rows.findings(folded(scene))]
    assert kinds == ["graph-chain", "graph-held", "retain-needless", "memory-climb"]


def test_backwards_tell_what_is_special_about_them():
    job = folded(histories.Scene())
    call = wire.Backward(
        at=0.0, iteration=4, duration_s=0.05, root="MeanBackward0", roots=2, file="a.py", line=3,
        call="grad", create_graph=True, retain_graph=True, skipped=7,
    )  # fmt: skip
    number, took, root, places, notes = (
        [text for text, _ in cell] for cell in rows.backward_cells(job, call)
    )
    assert [number, took, root] == [["⋮ ", "4"], ["50 ms"], ["MeanBackward0 +1"]]
    assert [places, notes] == [["a.py:3", "a.py:3"], ["create, grad()"]]


def test_a_call_in_the_script_itself_is_told_by_its_line_where_there_is_no_room_for_more():
    scene = histories.Scene()
    script = folded(scene).hello.script
    call = wire.Backward(
        at=0.0, iteration=4, duration_s=0.05, root="A", roots=1, file=script, line=3
    )
    cell = rows.backward_cells(folded(scene), call)[3]
    column = Column("called at", 11, keeps="one")
    assert "".join(t for t, _ in row([column], 80, [cell])).strip() == f"{Path(script).name}:3"
    assert "".join(t for t, _ in row([column], 10, [cell])).strip() == "line 3"


@pytest.mark.parametrize(
    ("typed", "file", "place"),
    [
        ("train.py", "/home/u/proj/train.py", "train.py:3"),
        ("./run/train.py", "/home/u/proj/run/train.py", "train.py:3"),
        ("../train.py", "/home/u/train.py", "train.py:3"),
        ("train.py", "/home/u/proj/retrain.py", "proj/retrain.py:3"),
        ("", "/home/u/proj/train.py", "proj/train.py:3"),
    ],
)
def test_the_script_is_known_however_its_name_was_typed(typed, file, place):
    job = folded(histories.Scene(script=typed))
    assert facts.place_of(job, file, 3) == place
    assert facts.is_script(job, file) is (place == "train.py:3")


def test_types_tell_how_they_changed():
    counted = rows.types(folded(histories.chain()))
    assert (counted.window, counted.at) == (100, None)
    assert [(item.name, item.now, item.change) for item in counted.items[:2]] == [
        ("AddBackward0", 1_249, 400),
        ("MulBackward0", 1_249, 400),
    ]


def test_a_type_that_is_too_long_is_told_without_its_last_word():
    cells = rows.type_cells(rows.TypeItem("LogSoftmaxBackward0", 1, 0))
    columns = rows.type_columns(rows.types(folded(histories.chain())))
    wide, narrow = ("".join(t for t, _ in row(columns, room, cells)) for room in (60, 36))
    assert "LogSoftmaxBackward0 " in wide
    assert narrow.split()[0] == "LogSoftmax"


def test_types_that_are_gone_are_told_too():
    scene = histories.Scene()
    scene.step(types={"ExpBackward0": 5})
    scene.step(types={"LogBackward0": 2})
    items = rows.types(folded(scene)).items
    assert [(item.name, item.now, item.change) for item in items] == [
        ("LogBackward0", 2, 2),
        ("ExpBackward0", 0, -5),
    ]


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_sentence_of_an_error_is_cut(width):
    said = verdict(folded(histories.crashed()), histories.START + 2)
    lines = verdict_lines(said, "", width, 24)
    told = " ".join("".join(text for text, _ in line).strip() for line in lines)
    assert "Trying to backward through the graph a second time" in told
    assert "…" not in told
