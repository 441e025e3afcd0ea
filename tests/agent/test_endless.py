"""Of what is known to grow without end two graphs are enough, where not each iteration leaves
one; of all else, which may be a block that is filled anew, six.
"""

from __future__ import annotations

import textwrap

import pytest

HEAD = """
    import torch
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def trains():
        loss = model(torch.randn(4, 3)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    def fails(step):
        loss = trains()
        if step % 3 == 0:
            raise ValueError("now and then")
"""

A_VARIABLE = """
    def main():
        hard = []
        for step in range(30):
            loss = trains()
            if step % 3 == 0:
                hard.append(loss)
    main()
"""

SELDOM = """
    def main():
        hard = []
        for step in range(30):
            loss = trains()
            if step % 6 == 0:
                hard.append(loss)
    main()
"""

A_VALIDATION = """
    def main():
        scores = []
        for step in range(40):
            trains()
            if step % 5 == 0:
                scores.append(model(torch.randn(4, 3)).pow(2).mean())
    main()
"""

BESIDE_A_LITTLE_THAT_IS_LEFT_EACH_TIME = """
    def main():
        scores = []
        for step in range(60):
            loss = trains() * 2
            if step >= 20 and step % 5 == 0:
                scores.append(model(torch.randn(4, 3)).pow(2).mean())
    main()
"""

AN_ATTRIBUTE = """
    class Trainer:
        def __init__(self):
            self.seen = {"failed": [], "steps": 0}
        def step(self, step):
            try:
                fails(step)
            except ValueError as error:
                self.seen["failed"].append(error)
    def main(trainer: Trainer):
        for step in range(30):
            trainer.step(step)
    main(Trainer())
"""

A_FIELD = """
    from dataclasses import dataclass, field
    @dataclass
    class Report:
        failed: list[ValueError] = field(default_factory=list)
    def note(errors, error):
        errors.append(error)
    def train(model, report):
        model.train()
        for step in range(30):
            model.train()
            try:
                fails(step)
            except ValueError as error:
                note(report.failed, error)
    if __name__ == "__main__":
        train(model, Report())
"""

BUILT_BY_A_CONSTRUCTOR = """
    class Journal:
        def __init__(self):
            self.lines = []
    class Trainer:
        def __init__(self):
            self.journal = Journal()
    class Slow(Trainer):
        def __init__(self):
            super().__init__()
            self.rate = 0.1
    def main():
        trainer = Slow()
        for step in range(30):
            loss = trains()
            if step % 3 == 0:
                trainer.journal.lines.append(lambda loss=loss: loss.item())
    main()
"""

BUILT_BY_ONE_OF_EACH_EPOCH = """
    class Journal:
        def __init__(self):
            self.lines = []
    class Trainer:
        def __init__(self):
            self.journal = Journal()
    class Slow(Trainer):
        pass
    for epoch in range(3):
        trainer = Slow()
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                trainer.journal.lines.append(loss)
"""

A_SUM = """
    class Probe:
        def __init__(self):
            self.total = 0.0
        def add(self, value):
            self.total = self.total + value
    class Probes:
        def __init__(self):
            self.first = Probe()
    probes = Probes()
    for step in range(30):
        loss = trains()
        if step % 3 == 0:
            probes.first.add(loss)
"""

A_FUNCTION_CALLED_AS_A_METHOD_IS = """
    class Evaluator:
        def __init__(self):
            self.of_last = None
        def apply(self, data, epochs):
            self.of_last = sum(data) / epochs
    evaluator = Evaluator()
    def curve():
        points = []
        def note(loss):
            points.append(loss)
        return note
    def apply():
        note = curve()
        for step in range(30):
            loss = trains()
            if step % 3 == 0:
                note(loss)
            evaluator.apply([loss.item()], epochs=1)
    apply()
"""

A_SUM_OF_EACH_EPOCH = """
    class Probe:
        def __init__(self):
            self.reset()
        def add(self, value):
            self.total = self.total + value
        def reset(self):
            self.total = 0.0
    probe = Probe()
    for epoch in range(3):
        probe.reset()
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                probe.add(loss)
"""

RETAINED = """
    losses = []
    for step in range(30):
        loss = model(torch.randn(4, 3)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # nothing that it saved is ever changed
        optimizer.step()
        losses.append(loss)
"""

NEVER_WALKED = """
    errors = []
    for step in range(30):
        trains()
        errors.append(model(torch.randn(4, 3)).abs().max())
"""

RETAINED_FOR_AN_EPOCHS_END = """
    for epoch in range(4):
        losses = []
        for step in range(16):
            loss = model(torch.randn(4, 3)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            optimizer.step()
            losses.append(loss)
        torch.stack(losses).sum().backward()
"""

OF_EACH_EPISODE = """
    actor, critic = torch.nn.Linear(3, 2), torch.nn.Linear(3, 1)
    steps = [torch.optim.SGD(net.parameters(), 0.01) for net in (actor, critic)]
    for _ in range(30):  # before
        loss = actor(torch.randn(4, 3)).pow(2).mean()
        steps[0].zero_grad()
        loss.backward()
        steps[0].step()
    class Trainer:
        def __init__(self):
            self.loss = 0.0
        def episode(self):
            self.loss = 0.0
            for _ in range(40):
                worth = critic(torch.randn(3)).pow(2).mean()
                steps[1].zero_grad()
                worth.backward()
                steps[1].step()
                self.loss = self.loss + actor(torch.randn(3)).log_softmax(0)[0]
            steps[0].zero_grad()
            self.loss.backward()
            steps[0].step()
    trainer = Trainer()
    for _ in range(3):
        trainer.episode()
"""

OF_A_SECOND_PHASE = """
    for _ in range(20):
        trains()
    head = torch.nn.Linear(1, 1)
    other = torch.optim.SGD(head.parameters(), 0.01)
    values = []
    for _ in range(30):
        value = model(torch.randn(4, 3))
        loss = head(value.detach()).pow(2).mean()
        other.zero_grad()
        loss.backward()
        other.step()
        values.append(value.abs().mean())
    torch.stack(values).sum().backward()
"""

LEFT_TO_THE_END = """
    steered, losses = torch.zeros(3, requires_grad=True), []
    for step in range(30):
        trains()
        losses.append((steered * torch.randn(3)).sum())
    torch.stack(losses).sum().backward()
"""

ANEW_EACH_EPOCH = """
    for epoch in range(3):
        hard = []
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                hard.append(loss)
"""

OF_AN_EPOCHS_OWN_FUNCTION = """
    def an_epoch():
        hard = []
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                hard.append(loss)
    def fold():
        an_epoch()
    for _ in range(3):
        fold()
"""

OF_AN_EPOCHS_OWN_OBJECT = """
    class Report:
        def __init__(self):
            self.hard = []
    reports = [Report() for _ in range(3)]
    while reports:
        report = reports.pop()
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                report.hard.append(loss)
        del report
"""

CLEARED = """
    class Report:
        def __init__(self):
            self.hard = []
        def parts(self):
            return [self.hard]
    report = Report()
    for epoch in range(3):
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                report.hard.append(loss)
        for part in report.parts():
            part.clear()
"""

CLEARED_BY_A_CALLBACK = """
    import contextlib
    class Report:
        def __init__(self):
            self.hard = []
    report = Report()
    for epoch in range(3):
        with contextlib.ExitStack() as stack:
            stack.callback(report.hard.clear)
            for step in range(12):
                loss = trains()
                if step % 3 == 0:
                    report.hard.append(loss)
"""

BEGUN_AGAIN = """
    class Report:
        def __init__(self):
            self.hard = []
        def reset(self):
            self.__init__()
    report = Report()
    for epoch in range(3):
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                report.hard.append(loss)
        report.reset()
"""

THE_FIRST_FEW = """
    first = []
    for step in range(40):
        loss = trains()
        if step < 12 and step % 3 == 0:
            first.append(loss)
"""

BY_A_DECORATED_FUNCTION = """
    def seeded(function):
        def call(*args, **given):
            given.pop("seed", None)
            return function(*args, **given)
        return call
    @seeded
    def an_epoch(steps):
        hard = []
        for step in range(steps):
            loss = trains()
            if step % 3 == 0:
                hard.append(loss)
    an_epoch(2)
    for epoch in range(3):
        an_epoch(12, seed=epoch)
"""

BY_WHOEVER_CALLS = """
    def an_epoch():
        hard = []
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                hard.append(loss)
    list(map(lambda run: run(), [an_epoch] * 3))
"""


METER = """
    from collections import defaultdict
    class Meter:
        def __init__(self):
            self.total, self.seen = 0.0, []
        def add(self, value):
            self.total = self.total + value
"""

UNDER_ITS_NAME = """
    class Meters:
        def __init__(self):
            {begins}
        def log(self, name, value):
            {logs}
    meters = Meters()
    for step in range(30):
        loss = trains()
        if step % 3 == 0:
            meters.log("hard", loss)
"""

MADE_WHERE_IT_IS_MISSING = [
    ("self.kept = {}", "self.kept.setdefault(name, Meter()).add(value)"),
    ("self.kept = {}", "self.kept.setdefault(name, Meter()).seen.append(value)"),
    ("self.kept = defaultdict(Meter)", "self.kept[name].add(value)"),
    ("self.kept = {name: Meter() for name in ('hard', 'easy')}", "self.kept[name].add(value)"),
    ("self.kept = [Meter(), Meter()]", "self.kept[len(name) // 5].add(value)"),
    ("self.kept = defaultdict(list)", "self.kept[name].append(value)"),
    ("self.kept = {}", "self.kept.setdefault(name, []).append(value)"),
    ("self.kept = defaultdict(float)", "self.kept[name] += value"),
    (
        "self.kept = {}",
        (
            "if name not in self.kept:\n"
            "            self.kept[name] = Meter()\n"
            "        self.kept[name].add(value)"
        ),
    ),
]

OF_AN_EPOCH_UNDER_ITS_NAME = """
    class Meters:
        def __init__(self):
            {begins}
        def log(self, name, value):
            {logs}
    meters, step = Meters(), 0
    for epoch in range(3):
        {anew}
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                meters.log("hard", loss)
"""

BEGUN_ANEW = [
    "meters = Meters()",
    "meters.kept = {name: Meter() for name in ('hard',)}",
    "meters.kept['hard'] = Meter()",
    "meters.kept.pop('hard', None)",
    "if 'hard' in meters.kept: meters.kept['hard'] = Meter()",
    "if step > 9: meters.kept['hard'] = Meter()",
    "if epoch: meters.kept['hard'].__init__()",
    "meters.kept.clear()",
]


WITH_A_MEAN_OF_ALL = """
    def main():
        scores = []
        for step in range(60):
            trains()
            if step % 5 == 0:
                scores.append(model(torch.randn(4, 3)).pow(2).mean())
                mean = torch.stack(scores).mean()
    main()
"""

BESIDE_A_GRAPH_THAT_WAS_BUILT_ONCE = """
    scale = torch.ones(1, requires_grad=True).exp()
    def main():
        scores = []
        for step in range(60):
            loss = (model(torch.randn(4, 3)) * scale).pow(2).mean()
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            optimizer.step()
            if step % 5 == 0:
                scores.append(model(torch.randn(4, 3)).pow(2).mean())
    main()
"""

CLEARED_AS_A_FUNCTION_HANDS_IT_BACK = """
    class Log:
        def __init__(self):
            self.kept = []
        def rows(self):
            return self.kept
    log = Log()
    for step in range(60):
        loss = trains()
        if step % 4 == 0:
            log.rows().append(loss)
        if step % 12 == 11:
            log.rows().clear()
"""

TAKEN_BY_A_METHOD_OF_ANOTHER_NAME = """
    hard = []
    drop = hard.pop
    for step in range(60):
        loss = trains()
        if step % 4 == 0:
            hard.append(loss)
            if len(hard) > 3:
                drop(0)
"""

OF_EACH_PHASE = """
    ends = []
    for phase in range(3):
        for step in range(20):
            loss = trains()
        ends.append(loss)
"""

BEGUN_ANEW_AFTER_MANY_OF_WHICH_FEW_ARE_KEPT = """
    total = 0.0
    for step in range(1, 250):
        loss = trains()
        if step % 20 == 0:
            total = total + loss
        if step % 120 == 0:
            print(float(total))
            total = 0.0
"""

READ_BESIDE = """
    class Trainer:
        def __init__(self):
            self.gallery = []
        def fit(self):
            for step in range(30):
                loss = trains()
                if step % 3 == 0:
                    self.gallery.append((step, loss))
                    last = self.gallery[-1][1].norm().item()
    Trainer().fit()
"""

WHICH_A_FACTORY_MADE = """
    class Recorder:
        def __init__(self):
            self.rows = []
        def log(self, value):
            self.rows.append({"loss": value})
    KINDS = {"recorder": Recorder}
    class Trainer:
        def __init__(self, names):
            self.callbacks = [KINDS[name]() for name in names]
        def fit(self):
            for step in range(30):
                loss = trains()
                if step % 3 == 0:
                    self.fire(loss)
        def fire(self, loss):
            for callback in self.callbacks:
                callback.log(loss)
    Trainer(["recorder"]).fit()
"""

ONE_OF_SEVERAL_METERS = (
    METER
    + """
    class Trainer:
        def __init__(self):
            self.easy, self.hard = Meter(), Meter()
            self.third = Meter()
        def fit(self):
            for step in range(30):
                loss = trains()
                if step % 3 == 0:
                    self.third.add(loss)
    Trainer().fit()
"""
)

GATE = """
    class Gate:
        def __init__(self):
            self.level = None
        def settle(self, value):
            if self.level is None:
                self.level = value
            else:
                self.level = 0.9 * self.level + 0.1 * value
    gate = Gate()
"""

A_LEVEL_THAT_BEGINS_WITH_THE_FIRST = (
    GATE
    + """
    for step in range(30):
        loss = trains()
        if step % 3 == 0:
            gate.settle(loss)
"""
)

PICTURES = """
    class Visualizer:
        def __init__(self):
            self.pages = {}
        def display(self, step, loss):
            if step % 3 == 0:
                self.pages[("page", step)] = loss
    pictures = Visualizer()
"""

UNDER_NAMES_THAT_COUNT_ON = (
    PICTURES
    + """
    for step in range(30):
        pictures.display(step, trains())
"""
)

UNDER_NAMES_THAT_COME_AGAIN = (
    PICTURES
    + """
    for epoch in range(3):
        for step in range(12):
            pictures.display(step, trains())
"""
)

ONE_OF_SEVERAL_METERS_IS_NEW_EACH_EPOCH = (
    METER
    + """
    class Trainer:
        def __init__(self):
            self.easy, self.hard = Meter(), Meter()
        def fit(self):
            for epoch in range(3):
                self.third = Meter()
                for step in range(12):
                    loss = trains()
                    if step % 3 == 0:
                        self.third.add(loss)
    Trainer().fit()
"""
)

A_LEVEL_THAT_IS_FORGOTTEN = (
    GATE
    + """
    for epoch in range(3):
        gate.level = None
        for step in range(12):
            loss = trains()
            if step % 3 == 0:
                gate.settle(loss)
"""
)

OF_A_LIST_WHOSE_LAST_ONE_IS_EMPTIED = """
    history = [[]]
    for step in range(40):
        loss = trains()
        if step % 3 == 0:
            history[-1].append(loss)
        if step % 12 == 11:
            history[-1].clear()
            history.append([])
"""


A_CREW = """
    class Rower:
        def __init__(self):
            self.strokes = []

        def row(self):
            self.strokes.append(trains())

    class Crew:
        def __init__(self, size):
            self.rowers = [Rower() for _ in range(size)]

        def row(self):
            for rower in self.rowers:
                rower.row()
"""

WHICH_STAYS = """
    crew = Crew(4)
    for _ in range(12):
        crew.row()
"""

OF_EACH_RACE = """
    for race in range(6):
        crew = Crew(4)
        for _ in range(2):
            crew.row()
"""

AVERAGES_UNDER_KEYS = """
    averages = {name: p.detach().clone() for name, p in model.named_parameters()}
    for step in range(40):
        trains()
        if step % 3 == 0:
            for name, p in model.named_parameters():
                averages[name] = 0.9 * averages[name] + 0.1 * p
"""

SLOW_ONES_IN_LISTS = """
    class Slow:
        def __init__(self):
            self.slow = [[p.detach().clone() for p in model.parameters()]]
            self.fast = [list(model.parameters())]

        def follow(self):
            for slow, fast in zip(self.slow, self.fast):
                for i, p in enumerate(fast):
                    slow[i] = slow[i] + 0.5 * (p - slow[i])

    slow = Slow()
    for step in range(40):
        trains()
        if step % 3 == 0:
            slow.follow()
"""

SUMS_OF_EACH_EPOCH_UNDER_KEYS = """
    sums = {"fit": 0.0, "size": 0.0}
    for epoch in range(8):
        for step in range(6):
            sums["fit"] = sums["fit"] + trains()
            sums["size"] = sums["size"] + model.weight.square().sum()
        for key in sums:
            sums[key] = 0.0
"""


@pytest.fixture
def told(checked):
    def told(text):
        ended = checked(textwrap.dedent(HEAD) + textwrap.dedent(text))
        return [found for found in ended.findings if found.level == "warning"]

    return told


@pytest.mark.parametrize(("text", "holder"), [(RETAINED, "losses"), (NEVER_WALKED, "errors")])
def test_nobody_comes_back_to_all_that_gathers_without_end(told, text, holder):
    found = told(text)[0]
    assert (found.kind, found.holder) == ("graph-held", holder)
    assert found.iteration <= 10
    assert found.code.startswith(f"{holder}.append(")


def test_what_no_backward_ever_walks_need_not_be_built_with_a_graph(told):
    assert told(NEVER_WALKED)[0].suggestion.endswith(" build it under torch.no_grad().")


@pytest.mark.parametrize(
    "text",
    [
        A_VARIABLE,
        SELDOM,
        A_VALIDATION,
        AN_ATTRIBUTE,
        A_FIELD,
        A_SUM,
        BUILT_BY_A_CONSTRUCTOR,
        A_FUNCTION_CALLED_AS_A_METHOD_IS,
        READ_BESIDE,
        WHICH_A_FACTORY_MADE,
        ONE_OF_SEVERAL_METERS,
        A_LEVEL_THAT_BEGINS_WITH_THE_FIRST,
        UNDER_NAMES_THAT_COUNT_ON,
        AVERAGES_UNDER_KEYS,
        SLOW_ONES_IN_LISTS,
    ],
)
def test_two_are_enough_where_there_is_no_end(told, text):
    found = told(text)[0]
    assert (found.kind, found.iteration <= 8) == ("graph-held", True), found


def test_what_a_call_knows_as_its_own_lies_in_a_container_that_stays(told):
    """How long each rower is there is known by `crew.rowers`, not by `self.strokes`."""
    found = told(textwrap.dedent(A_CREW) + textwrap.dedent(WHICH_STAYS))[0]
    assert (found.kind, found.holder) == ("graph-held", "crew.rowers")
    assert "`self.strokes.append(trains().detach())`" in found.suggestion


def test_nobody_knows_so_of_a_container_that_is_made_anew(told):
    assert told(textwrap.dedent(A_CREW) + textwrap.dedent(OF_EACH_RACE)) == []


@pytest.mark.parametrize(
    ("text", "by"), [(WITH_A_MEAN_OF_ALL, 17), (BESIDE_A_GRAPH_THAT_WAS_BUILT_ONCE, 11)]
)
def test_nor_does_what_the_loss_reaches_hide_it_or_what_all_of_them_come_to(told, text, by):
    found = told(text)[0]
    assert (found.kind, found.holder, found.iteration <= by) == ("graph-held", "scores", True)


def test_of_what_is_left_unwalked_something_new_is_looked_for_from_the_start(told):
    found = told(BESIDE_A_LITTLE_THAT_IS_LEFT_EACH_TIME)[0]
    assert (found.kind, found.holder) == ("graph-held", "scores")
    assert 20 < found.iteration <= 29


@pytest.mark.parametrize(("begins", "logs"), MADE_WHERE_IT_IS_MISSING)
def test_nor_is_there_of_what_lies_under_its_name_for_good(told, begins, logs):
    text = textwrap.dedent(UNDER_ITS_NAME).format(begins=begins, logs=logs)
    found = told(textwrap.dedent(METER) + text)[0]
    assert (found.kind, found.iteration <= 8) == ("graph-held", True), found


@pytest.mark.parametrize("anew", BEGUN_ANEW)
@pytest.mark.parametrize(("begins", "logs"), MADE_WHERE_IT_IS_MISSING[:1])
def test_but_there_may_be_one_where_that_is_made_anew(told, begins, logs, anew):
    text = textwrap.dedent(OF_AN_EPOCH_UNDER_ITS_NAME)
    assert told(textwrap.dedent(METER) + text.format(begins=begins, logs=logs, anew=anew)) == []


@pytest.mark.parametrize(
    "text",
    [
        ANEW_EACH_EPOCH,
        OF_AN_EPOCHS_OWN_FUNCTION,
        OF_AN_EPOCHS_OWN_OBJECT,
        BUILT_BY_ONE_OF_EACH_EPOCH,
        A_SUM_OF_EACH_EPOCH,
        RETAINED_FOR_AN_EPOCHS_END,
        LEFT_TO_THE_END,
        OF_EACH_EPISODE,
        OF_A_SECOND_PHASE,
        CLEARED,
        CLEARED_BY_A_CALLBACK,
        BEGUN_AGAIN,
        THE_FIRST_FEW,
        BY_A_DECORATED_FUNCTION,
        BY_WHOEVER_CALLS,
        CLEARED_AS_A_FUNCTION_HANDS_IT_BACK,
        TAKEN_BY_A_METHOD_OF_ANOTHER_NAME,
        OF_EACH_PHASE,
        BEGUN_ANEW_AFTER_MANY_OF_WHICH_FEW_ARE_KEPT,
        ONE_OF_SEVERAL_METERS_IS_NEW_EACH_EPOCH,
        A_LEVEL_THAT_IS_FORGOTTEN,
        OF_A_LIST_WHOSE_LAST_ONE_IS_EMPTIED,
        UNDER_NAMES_THAT_COME_AGAIN,
        SUMS_OF_EACH_EPOCH_UNDER_KEYS,
    ],
)
def test_five_are_not_where_there_may_be_one(told, text):
    assert told(text) == []
