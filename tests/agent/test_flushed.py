"""Graphs that wait for a moment and are then let go: no fault, however many they are."""

from __future__ import annotations

import pytest

BEFORE_THE_FIRST_STEP = """
    import torch
    tower = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(tower.parameters(), 0.01)
    cache = []
    for _ in range(20):
        optimizer.zero_grad()
        for _ in range(12):
            part = tower(torch.randn(3, 4)).tanh()
            cache.append((part, part.detach().requires_grad_()))
        torch.cat([leaf for _, leaf in cache]).pow(2).mean().backward()
        for part, leaf in cache:
            part.backward(leaf.grad)
        optimizer.step()
        cache.clear()
"""
"""The first backward reaches nothing that an optimizer has."""

BY_A_METHOD_WHEN_FULL = """
    import torch
    class Log:
        def __init__(self, most):
            self.most, self.pending = most, []
        def add(self, late):
            self.pending.append(late)
            if len(self.pending) >= self.most:
                self.flush()
        def flush(self):
            print([late() for late in self.pending])
            self.pending.clear()
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    log = Log(25)
    for _ in range(80):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        log.add(lambda loss=loss: loss.item())
"""


BEHIND_A_RETURN = """
    import torch
    class Deferred:
        def __init__(self, threshold):
            self.threshold, self.jobs = threshold, []
        def drain(self):
            if len(self.jobs) < self.threshold:
                return False
            jobs, self.jobs = self.jobs, []
            print([job() for job in jobs])
            return True
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    deferred = Deferred(40)
    for _ in range(120):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        deferred.jobs.append(lambda loss=loss: loss.item())
        deferred.drain()
"""

BY_A_THREAD_THAT_COUNTS = """
    import queue, threading, torch
    class Worker(threading.Thread):
        def __init__(self, chunk):
            super().__init__(daemon=True)
            self.inbox, self.done, self.chunk = queue.Queue(), queue.Queue(), chunk
        def run(self):
            batch = []
            while True:
                batch.append(self.inbox.get())
                if len(batch) == self.chunk:
                    batch = []
                self.done.put(None)
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    worker = Worker(20)
    worker.start()
    for _ in range(80):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        worker.inbox.put(loss)
        worker.done.get()
"""

BY_A_FUNCTION_WITH_A_LIMIT_OF_ITS_OWN = """
    import torch
    def watching(limit):
        window = []
        def watch(loss):
            window.append(loss)
            if len(window) < 5:
                return
            if len(window) >= limit:
                del window[:]
        return watch
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    watch = watching(20)
    for _ in range(80):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        watch(loss)
"""

HELD_TO_A_SIZE = """
    import torch
    class Board:
        def __init__(self):
            self.hardest = []
        def offer(self, loss):
            self.hardest.append(loss)
            self.hardest.sort(key=lambda each: -each.item())
            self.hardest[30:] = []
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    board = Board()
    for _ in range(80):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        board.offer(loss)
"""

AT_AN_EPOCHS_END = """
    import torch
    class Report:
        def on_epoch_end(self, trainer):
            print(torch.stack(trainer.outputs).mean().item())
    class Trainer:
        def __init__(self):
            self.model = torch.nn.Linear(4, 2)
            self.optimizer = torch.optim.SGD(self.model.parameters(), 0.01)
            self.outputs, self.callbacks = [], [Report()]
        def fit(self, epochs):
            for _ in range(epochs):
                for _ in range(20):
                    self.optimizer.zero_grad()
                    loss = self.model(torch.randn(3, 4)).pow(2).mean()
                    loss.backward()
                    self.optimizer.step()
                    self.outputs.append(loss)
                for callback in self.callbacks:
                    getattr(callback, "on_epoch_end")(self)
                self.outputs.clear()
    Trainer().fit(4)
"""

AT_A_SESSIONS_END = """
    import contextlib, torch
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    class Session:
        def __init__(self):
            self.outputs = {"out": []}
        def __enter__(self):
            self.stack = contextlib.ExitStack()
            handle = model.register_forward_hook(lambda m, i, o: self.outputs["out"].append(o))
            self.stack.callback(handle.remove)
            self.stack.callback(self.outputs.clear)
        def __exit__(self, *exception):
            self.stack.close()
    for _ in range(4):
        with Session() as session:
            for _ in range(20):
                optimizer.zero_grad()
                loss = model(torch.randn(3, 4)).pow(2).mean()
                loss.backward()
                optimizer.step()
"""

A_SUM_OF_AN_INTERVAL = """
    import torch
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    total, every = 0.0, {every}
    for step in range(1, 121):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        total += loss
        if step % every == 0:
            print(total.item())
            total = 0.0
"""

SUMS_OF_AN_INTERVAL = """
    import torch
    class Report:
        def __init__(self, every, names):
            self.every, self.names = every, names
            self.restart()
        def restart(self):
            self.count = 0
            self.sums = {{name: 0 for name in self.names}}
        def add(self, **losses):
            for name, value in losses.items():
                self.sums[name] += value
            self.count += 1
            if self.count == self.every:
                print({{name: value.item() for name, value in self.sums.items()}})
                self.restart()
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    report = Report({every}, ("loss", "size"))
    for step in range(121):
        optimizer.zero_grad()
        out = model(torch.randn(3, 4))
        loss = out.pow(2).mean()
        loss.backward()
        optimizer.step()
        report.add(loss=loss, size=out.abs().mean())
"""

OF_AN_EPOCH_OF_SO_MANY_BATCHES = """
    import torch
    class Mean:
        def reset(self):
            self.total, self.count = 0.0, 0
        def update(self, value):
            self.total += value
            self.count += 1
    def epoch(model, optimizer, batches, mean):
        losses = []
        mean.reset()
        for number, batch in enumerate(batches):
            optimizer.zero_grad()
            loss = model(batch).pow(2).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss)
            mean.update(loss)
        print(torch.stack(losses).mean().item(), mean.total.item())
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    batches, mean = [torch.randn(3, 4) for _ in range({every})], Mean()
    for _ in range(3):
        epoch(model, optimizer, batches, mean)
"""

OF_AN_EPOCH_OF_WHO_KNOWS_HOW_MANY = """
    import random, torch
    def batches(draw):
        for _ in range(draw.choice([20, 25, 30])):
            yield torch.randn(3, 4)
    def epoch(model, optimizer, draw):
        losses = []
        for batch in batches(draw):
            optimizer.zero_grad()
            loss = model(batch).pow(2).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss)
        return torch.stack(losses).mean().item()
    model, draw = torch.nn.Linear(4, 2), random.Random(0)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range({epochs}):
        print(epoch(model, optimizer, draw))
"""

OF_CLIENTS_OF_A_ROUND = """
    import torch
    class Base:
        def __init__(self, model):
            self.model, self.losses = model, []
            self.optimizer = torch.optim.SGD(model.parameters(), 0.01)
    class Client(Base):
        def train(self, steps):
            for _ in range(steps):
                self.optimizer.zero_grad()
                loss = self.model(torch.randn(3, 4)).pow(2).mean()
                loss.backward()
                self.optimizer.step()
                self.losses.append(loss)
    model = torch.nn.Linear(4, 2)
    for round in range(4):
        crew = [Client(model) for _ in range(3)]
        for client in crew:
            client.train(steps={every} // 3)
        print([torch.stack(client.losses).mean().item() for client in crew])
"""

OF_MINIBATCHES = """
    import torch
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for update in range(4):
        divergences = []
        for epoch in range(2):
            for batch in torch.{how}:
                optimizer.zero_grad()
                loss = model(batch).pow(2).mean()
                loss.backward()
                optimizer.step()
                divergences.append(loss)
        print(torch.stack(divergences).mean().item())
"""
OF_AN_UPDATES_MINIBATCHES = [
    OF_MINIBATCHES.replace("{how}", how)
    for how in ("randn(80, 4).chunk({every} // 2, 0)", "chunk(torch.randn(80, 4), {every} // 2, 0)")
]

BY_WHAT_A_FACTORY_BUILT = """
    import torch
    class Recorder:
        def __init__(self, every):
            self.every, self.rows = every, []
        def after(self, step, loss):
            if step % self.every == 0:
                self.rows.append({"step": step, "loss": loss})
    KINDS = {"recorder": Recorder}
    def build(config):
        name = config["name"]
        TAKING
        return KINDS[name](**config)
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    callbacks = [build(each) for each in [{"name": "recorder", "every": 3}]]
    for step in range(60):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        for each in callbacks:
            each.after(step, loss)
"""

WHEN_A_NUMBER_COMES_AGAIN = """
    import random, torch
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    shops, latest = list(range(40)), {}
    random.Random(0).shuffle(shops)
    for number in range(120):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        latest[shops[number % 40]] = loss
"""


WORKED_OUT_OF_A_WINDOW_NOW_AND_THEN = """
    from collections import deque
    import torch
    model = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh(), torch.nn.Linear(6, 2))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    tail = deque(maxlen=6)
    for step in range(200):
        optimizer.zero_grad()
        model(torch.randn(3, 4)).pow(2).mean().backward()
        optimizer.step()
        if step % 5 == 0:
            tail.append(model(torch.randn(3, 4)).pow(2).mean())
            if len(tail) == 6 and step % 30 == 0:
                older, newer = torch.stack(list(tail)).chunk(2)
                print(newer.mean() > older.mean())
"""


@pytest.mark.parametrize(
    "text",
    [
        WORKED_OUT_OF_A_WINDOW_NOW_AND_THEN,
        BEFORE_THE_FIRST_STEP,
        BY_A_METHOD_WHEN_FULL,
        BEHIND_A_RETURN,
        BY_A_THREAD_THAT_COUNTS,
        BY_A_FUNCTION_WITH_A_LIMIT_OF_ITS_OWN,
        HELD_TO_A_SIZE,
        AT_AN_EPOCHS_END,
        AT_A_SESSIONS_END,
        WHEN_A_NUMBER_COMES_AGAIN,
        A_SUM_OF_AN_INTERVAL.format(every=30),
        SUMS_OF_AN_INTERVAL.format(every=30),
        OF_AN_EPOCH_OF_SO_MANY_BATCHES.format(every=30),
        OF_AN_EPOCH_OF_WHO_KNOWS_HOW_MANY.format(epochs=4),
        OF_CLIENTS_OF_A_ROUND.format(every=30),
        *(each.format(every=30) for each in OF_AN_UPDATES_MINIBATCHES),
    ],
)
def test_no_alarm(checked, text):
    assert [found for found in checked(text).findings if found.level != "info"] == []


SOME_OF_A_POOL = """
    import random, torch
    class Session:
        def __init__(self, ends):
            self.ends, self.turns, self.state = ends, [], torch.zeros(6)
        def expired(self, now):
            return now >= self.ends
        def mood(self):
            return torch.stack(self.turns).mean().item() if self.turns else 0.0
    class Pool:
        def __init__(self, size):
            self.chance, self.size, self.opened = random.Random(88), size, 0
            self.sessions, self.moods = {{}}, []
        def refresh(self, now):
            for key in [k for k, each in self.sessions.items() if each.expired(now)]:
                self.moods.append(self.sessions.pop(key).mood())
            while len(self.sessions) < self.size:
                self.opened += 1
                self.sessions[self.opened] = Session(now + self.chance.randint({shortest}, {most}))
        def pick(self, some):
            return self.chance.sample(list(self.sessions.values()), some)
    def main():
        torch.manual_seed(88)
        model = torch.nn.Sequential(torch.nn.Linear(6, 6), torch.nn.Tanh(), torch.nn.Linear(6, 1))
        optimizer = torch.optim.SGD(model.parameters(), 0.01)
        pool = Pool(10)
        for tick in range(200):
            pool.refresh(tick)
            active = pool.pick(6)
            states = torch.stack([each.state for each in active])
            scores = model(states + torch.randn(6, 6)).squeeze(1)
            optimizer.zero_grad()
            scores.pow(2).mean().backward()
            optimizer.step()
            for session, score in zip(active, scores):
                session.turns.append(score)
    main()
"""
"""Each iteration draws a few of those that are open."""


def test_the_sessions_of_a_pool_pass(checked):
    text = SOME_OF_A_POOL.format(shortest=8, most=35)
    assert [found for found in checked(text).findings if found.level != "info"] == []


def test_an_alarm_where_they_stay(checked):
    text = SOME_OF_A_POOL.format(shortest=10**6, most=10**6)
    found = checked(text).findings[-1]
    assert (found.kind, found.level) == ("graph-held", "warning")


@pytest.mark.parametrize(
    ("text", "every"),
    [
        (A_SUM_OF_AN_INTERVAL, 80),
        (SUMS_OF_AN_INTERVAL, 80),
        (OF_AN_EPOCH_OF_SO_MANY_BATCHES, 150),
        (OF_CLIENTS_OF_A_ROUND, 150),
        *((text, 150) for text in OF_AN_UPDATES_MINIBATCHES),
    ],
)
def test_an_alarm_where_they_come_to_many(checked, text, every):
    found = checked(text.format(every=every)).findings[0]
    assert (found.kind, found.level, found.iteration) == ("graph-held", "warning", 6)


def test_a_mode_that_is_set_in_each_epoch_is_no_call_of_the_function_of_that_name(checked):
    text = OF_AN_EPOCH_OF_WHO_KNOWS_HOW_MANY.replace("for _ in range({epochs})", "if draw")
    text = text.replace("epoch(", "train(").replace(
        "optimizer.zero", "model.train(); optimizer.zero"
    )
    found = checked(text).findings[0]
    assert (found.kind, found.level, found.iteration) == ("graph-held", "warning", 6)


def test_what_begins_but_once_is_no_epoch(checked):
    text = OF_AN_EPOCH_OF_WHO_KNOWS_HOW_MANY.replace("for _ in range({epochs})", "if draw")
    found = checked(text).findings[0]
    assert (found.kind, found.level, found.iteration) == ("graph-held", "warning", 6)


@pytest.mark.parametrize("taking", ['config.pop("name")', 'del config["name"]'])
def test_what_is_taken_by_a_word_from_something_else_empties_no_list(checked, taking):
    found = checked(BY_WHAT_A_FACTORY_BUILT.replace("TAKING", taking)).findings[-1]
    assert (found.kind, found.level) == ("graph-held", "warning")
    assert found.holder == "each.rows"
