"""While it is watched which line stores, training goes on as ever, and nothing stays behind.

Each in a process of its own: another test's threads, or what it compiled, would keep lines from
being watched at all.
"""

from __future__ import annotations

import textwrap

import pytest

BEGINNING = """
import sys
import threading
import weakref

import torch

import gradwatch_agent.auto

model = torch.nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), 0.01)
kept, traced = [], 0

def train():
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(loss)

def debugger(frame, event, argument):
    return None

def watched():
    return sys.gettrace() is not None
"""


@pytest.fixture
def told(forked):
    """What a program says, and which statement is told of what it keeps."""

    def told(text: str) -> tuple[str, str | None]:
        ended = forked.run(BEGINNING + textwrap.dedent(text))
        assert ended.err == ""
        held = [f.code for f in ended.findings if f.kind == "graph-held"]
        return ended.out.strip(), held[-1] if held else None

    return told


def test_lines_are_watched_for_a_few_iterations_alone_and_frames_are_left_as_they_were(told):
    said = told(
        """
        for _ in range(12):
            train()
            traced += watched()
        print(0 < traced < 6, sys.gettrace(), sys._getframe().f_trace)
        """
    )
    assert said == ("True None None", "kept.append(loss)")


def test_what_a_variable_held_is_let_go_of(told):
    said = told(
        """
        def run():
            alive, traced = [], 0
            for _ in range(12):
                train()
                traced += watched()
                big = torch.zeros(100)
                alive.append(weakref.ref(big))
                del big
            print(traced > 0, sum(each() is not None for each in alive))

        run()
        """
    )
    assert said == ("True 0", "kept.append(loss)")


def test_a_debuggers_place_is_left_to_it(told):
    said = told(
        """
        sys.settrace(debugger)
        for _ in range(12):
            train()
            traced += sys.gettrace() is not debugger
        sys.settrace(None)
        print(traced)
        """
    )
    assert said == ("0", "kept.append(loss)")


def test_a_debugger_that_comes_meanwhile_stays(told):
    said, _ = told(
        """
        for _ in range(12):
            train()
            if watched():
                break
        frame, before = sys._getframe(), watched()
        sys.settrace(debugger)
        frame.f_trace = debugger
        train()
        print(before, sys.gettrace() is debugger, frame.f_trace is debugger)
        sys.settrace(None)
        """
    )
    assert said == "True True True"


def test_where_another_thread_of_the_programs_runs_no_line_is_watched(told):
    said = told(
        """
        over = threading.Event()
        other = threading.Thread(target=over.wait)
        other.start()
        for _ in range(12):
            train()
            traced += watched()
        over.set()
        other.join()
        print(traced)
        """
    )
    assert said == ("0", "kept.append(loss)")


def test_an_error_amid_watched_lines_is_the_programs_own(told):
    said, _ = told(
        """
        caught = []
        for _ in range(12):
            train()
            traced += watched()
            try:
                {}[len(kept)]
            except KeyError as error:
                caught.append(error.args)
        print(traced > 0, caught == [(n + 1,) for n in range(12)])
        """
    )
    assert said == "True True"


def test_a_failure_of_the_watching_stays_the_agents(forked):
    ended = forked.run(
        BEGINNING
        + textwrap.dedent(
            """
            from gradwatch_agent.naming.slots import Slot

            true = Slot.tensors

            def tensors(slot):
                if watched():
                    raise ValueError("broken")
                return true(slot)

            Slot.tensors = tensors
            for _ in range(12):
                train()
            print(len(kept), sys.gettrace())
            """
        )
    )
    assert (ended.code, ended.out) == (0, "12 None\n")
    assert "lines failed and is off: ValueError('broken')" in ended.err
    assert [f.code for f in ended.findings if f.kind == "graph-held"][-1] == "kept.append(loss)"


@pytest.mark.parametrize("name", ["site-packages", "target"])
def test_a_call_that_runs_the_whole_loop_is_no_statement_that_stores(told, name):
    said, code = told(
        f"""
        import tempfile
        from pathlib import Path

        folder = Path(tempfile.mkdtemp(), "{name}")
        folder.mkdir()
        if "{name}" == "target":
            (folder / "running-1.0.dist-info").mkdir()
            (folder / "running-1.0.dist-info" / "RECORD").write_text("runner.py,sha256=x,9")
        (folder / "runner.py").write_text('''
        class Runner:
            def __init__(self, taking):
                self.taking, self.data = taking, []

            def run(self, step, rounds):
                for _ in range(rounds):
                    self.data.append(self.taking(step()))
        ''')
        sys.path[:0] = [str(folder), folder]  # Python passes over the second one
        import runner

        def step():
            loss = model(torch.randn(8, 4)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return {{"loss": loss}}

        def main():
            taker = runner.Runner(lambda out: out["loss"])
            taker.run(step, 40)
            print(len(taker.data))

        main()
        """
    )
    assert (said, code) == ("40", 'taker = runner.Runner(lambda out: out["loss"])')
