"""Jobs whose loss has no graph. What cut it is marked `# <-`."""

from __future__ import annotations

import contextlib
import copy
import functools
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss
from torch.utils.checkpoint import checkpoint


def data():
    return torch.randn(8, 4), torch.randn(8, 1)


def a_detach():
    net = nn.Linear(4, 1)
    x, y = data()
    out = net(x).detach()  # <-
    loss = mse_loss(out, y)
    loss.backward()


def the_number_that_is_logged():
    net = nn.Linear(4, 1)
    for _ in range(3):
        x, y = data()
        loss = mse_loss(net(x), y).item()  # <-
        total = loss / 4
        torch.tensor(total).backward()


def a_sum_of_numbers():
    net = nn.Linear(4, 1)
    total = torch.zeros(())
    for _ in range(4):
        x, y = data()
        total = total + mse_loss(net(x), y).item()  # <-
    total.backward()


def a_hard_choice():
    net = nn.Linear(4, 3)
    x, _ = data()
    guess = net(x).argmax(dim=1)  # <-
    truth = torch.randint(0, 3, (8,))
    loss = (guess - truth).float().pow(2).mean()
    loss.backward()


def the_indices_of_the_best():
    net = nn.Linear(4, 3)
    x, _ = data()
    scores = net(x)
    _, best = scores.max(1)  # <-
    loss = (best.float() - 1.0).abs().mean()
    loss.backward()


def a_count_of_what_is_right():
    net = nn.Linear(4, 3)
    x, _ = data()
    logits = net(x)
    accuracy = (logits > 0).float().mean()  # <-
    loss = 1 - accuracy
    loss.backward()


class Rounding(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.outer = nn.Linear(4, 1)

    def encode(self, x):
        hidden = self.inner(x)
        return torch.tanh(hidden)

    def forward(self, x):
        code = self.encode(x)
        return torch.from_numpy(self.outer(code).detach().numpy())  # <- in_the_forward_of_a_module


def in_the_forward_of_a_module():
    net, criterion = Rounding(), nn.MSELoss()
    x, y = data()
    criterion(net(x), y).backward()


class Critic:
    def __init__(self):
        self.value = nn.Linear(4, 1)

    @torch.no_grad()  # <- a_method_that_is_decorated
    def evaluate(self, x):
        return self.value(x).squeeze(1)

    def update(self, x, target):
        error = target - self.evaluate(x)
        loss = error.pow(2).mean()
        loss.backward()


def a_method_that_is_decorated():
    Critic().update(torch.randn(8, 4), torch.randn(8))


def a_block_without_gradients():
    net = nn.Linear(4, 1)
    x, y = data()
    with torch.inference_mode():  # <-
        out = net(x)
    loss = mse_loss(out.clone(), y)
    loss.backward()


def a_phase_that_is_told_wrongly():
    net = nn.Linear(4, 1)
    phase = "training"
    x, y = data()
    with torch.set_grad_enabled(phase == "train"):  # <-
        loss = mse_loss(net(x), y)
        loss.backward()


def validate(net):
    torch.set_grad_enabled(False)  # <- gradients_that_stay_off
    return net(torch.randn(8, 4)).mean().item()


def gradients_that_stay_off():
    net = nn.Linear(4, 1)
    try:
        for _ in range(2):
            x, y = data()
            loss = mse_loss(net(x), y)
            loss.backward()
            validate(net)
    finally:
        torch.set_grad_enabled(True)


def batches(net):
    with torch.no_grad():  # <- a_generator_that_waits_in_the_block
        for _ in range(3):
            x, y = data()
            yield x, y, net(x)


def a_generator_that_waits_in_the_block():
    net, teacher = nn.Linear(4, 1), nn.Linear(4, 1)
    try:
        for x, _, soft in batches(teacher):
            loss = mse_loss(net(x), soft)
            loss.backward()
    finally:
        torch.set_grad_enabled(True)


def an_entered_context():
    net = nn.Linear(4, 1)
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())  # <-
        x, y = data()
        loss = mse_loss(net(x), y)
        loss.backward()


def freeze(module):
    for parameter in module.parameters():
        parameter.requires_grad = False


def all_weights_frozen():
    teacher, student = nn.Linear(4, 1), nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    freeze(teacher)
    freeze(student)  # <-
    optimizer = torch.optim.SGD(student.parameters(), 0.1)
    optimizer.zero_grad()
    x, _ = data()
    loss = mse_loss(student(x), teacher(x))
    loss.backward()


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.body(x).relu())


def a_loop_that_freezes_what_is_trained():
    old, net = Two(), Two()
    old.requires_grad_(False)
    for p in net.parameters():
        p.requires_grad_(False)  # <-
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    optimizer.zero_grad()
    x, _ = data()
    loss = (net(x) - old(x)).abs().mean()
    loss.backward()


def weights_by_hand():
    w = torch.randn(4, 1)  # <-
    x, y = data()
    loss = mse_loss(x @ w, y)
    loss.backward()
    w -= 0.1 * w.grad


def weights_for_an_optimizer():
    scale = torch.ones(1)  # <-
    optimizer = torch.optim.SGD([scale], 0.1)
    x, y = data()
    loss = mse_loss(x[:, :1] * scale, y)
    loss.backward()
    optimizer.step()


def a_reentrant_checkpoint():
    net = nn.Linear(4, 1)
    x, y = data()
    out = checkpoint(net, x, use_reentrant=True)  # <-
    loss = mse_loss(out, y)
    loss.backward()


def picked(logits, truth, mask):
    if not mask.any():
        return torch.zeros(())  # <- a_batch_without_a_loss
    return cross_entropy(logits[mask], truth[mask])


def a_batch_without_a_loss():
    net = nn.Linear(4, 3)
    for number in range(2):
        x, _ = data()
        mask = torch.full((8,), number == 0)
        loss = picked(net(x), torch.randint(0, 3, (8,)), mask)
        loss.backward()


@dataclass
class Outcome:
    loss: torch.Tensor
    logits: torch.Tensor


class Answering(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x, y):
        logits = self.net(x)
        return Outcome(
            loss=mse_loss(logits.data, y),  # <- a_field_of_a_record
            logits=logits,
        )


def a_field_of_a_record():
    model = Answering()
    outcome = model(*data())
    outcome.loss.backward()


def losses_of(net, x, y):
    out = net(x)
    return {"fit": mse_loss(out, y), "seen": mse_loss(out, y).detach()}  # <- one_of_a_dict


def one_of_a_dict():
    parts = losses_of(nn.Linear(4, 1), *data())
    parts["seen"].backward()


def one_that_is_appended():
    net, losses = nn.Linear(4, 1), []
    for _ in range(3):
        x, y = data()
        losses.append(mse_loss(net(x), y).detach())  # <-
    torch.stack(losses).mean().backward()


class Agent:
    def __init__(self):
        self.policy = nn.Linear(4, 2)
        self.kept = []

    def act(self, x):
        choice = torch.distributions.Categorical(logits=self.policy(x))
        action = choice.sample()
        self.kept.append(choice.log_prob(action).detach())  # <- what_an_attribute_has_kept
        return action

    def learn(self):
        rewards = torch.randn(len(self.kept))
        loss = -(torch.stack(self.kept) * rewards).sum()
        loss.backward()


def what_an_attribute_has_kept():
    agent = Agent()
    for _ in range(3):
        agent.act(torch.randn(4))
    agent.learn()


def optimise(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def handed_to_a_function_that_steps():
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    x, y = data()
    out = net(x)
    optimise(mse_loss(torch.tensor(out.tolist()), y), optimizer)  # <-


def one_of_two_by_autograd():
    net = nn.Linear(4, 1)
    x, y = data()
    seen = net(x)
    frozen = seen.detach()  # <-
    torch.autograd.backward([mse_loss(frozen, y)])


def an_input_that_wants_none():
    net = nn.Linear(4, 1)
    x, _ = data()
    mixed = 0.5 * x  # <-
    torch.autograd.grad(net(mixed).sum(), mixed, create_graph=True)


def detached_in_place():
    net = nn.Linear(4, 1)
    x, y = data()
    out = net(x)
    out.detach_()  # <-
    loss = mse_loss(out, y)
    loss.backward()


def within_a_closure_of_the_optimizers():
    net = nn.Linear(4, 1)
    optimizer = torch.optim.LBFGS(net.parameters())
    x, y = data()

    def closure():
        optimizer.zero_grad()
        out = net(x)
        loss = torch.tensor(mse_loss(out, y).tolist())  # <-
        loss.backward()
        return loss

    optimizer.step(closure)


class Module(nn.Module):
    def training_step(self, batch):
        raise NotImplementedError


class Regression(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 1)])
        self.criterion = nn.MSELoss()
        self.seen = []

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def log(self, name, value):
        self.seen.append((name, float(value)))
        return value.data  # <- in_what_a_step_hands_to_the_trainer

    def training_step(self, batch):
        x, y = batch
        loss = self.criterion(self(x), y)
        return self.log("loss", loss)


class Trainer:
    def __init__(self, module):
        self.module = module
        self.optimizer = torch.optim.SGD(module.parameters(), 0.1)

    def fit(self, batches):
        for batch in batches:
            loss = self.module.training_step(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def in_what_a_step_hands_to_the_trainer():
    Trainer(Regression()).fit([data(), data()])


def set_requires_grad(nets, flag):
    for net in nets:
        for parameter in net.parameters():
            parameter.requires_grad = flag


class Adversary:
    def __init__(self):
        self.maker, self.judge = nn.Linear(4, 4), nn.Linear(4, 1)
        self.of_judge = torch.optim.SGD(self.judge.parameters(), 0.1)
        self.of_maker = torch.optim.SGD(self.maker.parameters(), 0.1)

    def step(self, x):
        set_requires_grad([self.judge], False)  # <- a_discriminator_left_frozen
        made = self.maker(torch.randn(8, 4))
        self.of_maker.zero_grad()
        (-self.judge(made).mean()).backward()
        self.of_maker.step()
        self.of_judge.zero_grad()
        verdict = self.judge(x).mean() - self.judge(made.detach()).mean()
        verdict.backward()


def a_discriminator_left_frozen():
    Adversary().step(torch.randn(8, 4))


def weighed(losses, weights):
    return sum(weights[name] * loss for name, loss in losses.items())


def parts_that_are_numbers():
    net = nn.Linear(4, 2)
    x, y = data()
    out = net(x)
    losses = {
        "first": mse_loss(out[:, :1], y).detach(),  # <-
        "second": mse_loss(out[:, 1:], y).detach(),  # <-
    }
    loss = weighed(losses, {"first": 1.0, "second": 0.5})
    loss.backward()


def straight_through_that_is_not():
    net = nn.Linear(4, 4)
    x, _ = data()
    soft = net(x).sigmoid()
    hard = (soft > 0.5).float()  # <-
    loss = ((hard - x) ** 2).mean()
    loss.backward()


def every_batch_by_a_comprehension():
    net = nn.Linear(4, 1)
    batches = [data() for _ in range(3)]
    losses = [mse_loss(net(x), y).item() for x, y in batches]  # <-
    loss = torch.tensor(losses).mean()
    loss.backward()


def through_numpy():
    import numpy as np

    net = nn.Linear(4, 1)
    x, y = data()
    out = net(x).detach().numpy()  # <-
    error = np.square(out - y.numpy()).mean()
    loss = torch.tensor(error)
    loss.backward()


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.head = nn.Linear(4, 4), nn.Linear(4, 1)
        for name, parameter in self.named_parameters():
            parameter.requires_grad = name.startswith("top")  # <- frozen_by_name

    def forward(self, x):
        return self.head(torch.relu(self.trunk(x)))


def frozen_by_name():
    net = Frozen()
    optimizer = torch.optim.Adam(net.parameters())
    x, y = data()
    optimizer.zero_grad()
    loss = nn.functional.l1_loss(net(x), y)
    loss.backward()


class Memory:
    def __init__(self):
        self.state = torch.zeros(1, 4)

    def read(self):
        return self.state

    def write(self, x):
        self.state = x.detach()  # <- what_another_object_remembers


def what_another_object_remembers():
    net, memory = nn.Linear(4, 4), Memory()
    memory.write(net(torch.randn(1, 4)))
    loss = memory.read().pow(2).sum()
    loss.backward()


def rollout(policy, steps):
    with torch.no_grad():  # <- a_rollout_that_is_trained_on
        states = [torch.randn(1, 4)]
        for _ in range(steps):
            states.append(policy(states[-1]))
    return torch.cat(states)


def a_rollout_that_is_trained_on():
    policy = nn.Linear(4, 4)
    path = rollout(policy, 3)
    cost = path.norm(dim=1).sum()
    cost.backward()


def embedded(table, words):
    return table.weight.data[words]  # <- rows_of_a_table


def rows_of_a_table():
    table, head = nn.Embedding(9, 4), torch.ones(4)
    score = embedded(table, torch.tensor([1, 2])) @ head
    loss = score.sum()
    loss.backward()


def by_the_optimizers_side(loss, scale=1.0):
    (loss * scale).backward()


def a_loss_that_is_scaled_elsewhere():
    net = nn.Linear(4, 1)
    x, y = data()
    values = [mse_loss(net(x), y).detach() for _ in range(2)]  # <-
    by_the_optimizers_side(max(values), scale=0.5)


class Stage:
    def __init__(self, words):
        self.words = words

    def apply(self, pupil):
        for name, p in pupil.named_parameters():
            if any(word in name for word in self.words):
                p.requires_grad_(False)  # <- a_stage_that_freezes_more_than_it_should


def a_stage_that_freezes_more_than_it_should():
    pupil = Two()
    optimizer = torch.optim.SGD(pupil.parameters(), 0.1)
    Stage(["body", "d"]).apply(pupil)
    x, y = data()
    optimizer.zero_grad()
    loss = mse_loss(pupil(x), y)
    loss.backward()


class Schedule:
    def begin(self, trainer, upto):
        for block in list(trainer.learner.children())[:upto]:
            block.requires_grad_(False)  # <- a_schedule_that_freezes_block_after_block


class School:
    def __init__(self):
        self.learner = Two()
        self.optimizer = torch.optim.SGD(self.learner.parameters(), 0.1)

    def fit(self, epochs):
        for epoch in range(epochs):
            Schedule().begin(self, epoch)
            x, y = data()
            self.optimizer.zero_grad()
            loss = mse_loss(self.learner(x), y)
            loss.backward()
            self.optimizer.step()


def a_schedule_that_freezes_block_after_block():
    School().fit(5)


def lock(*modules):
    for module in modules:
        for p in module.parameters():
            p.requires_grad = False


def modules_that_are_locked_at_once():
    apprentice, master = Two(), Two()
    optimizer = torch.optim.SGD(apprentice.parameters(), 0.1)
    lock(master, apprentice)  # <-
    x, _ = data()
    optimizer.zero_grad()
    loss = mse_loss(apprentice(x), master(x))
    loss.backward()


class Variational(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(4, 4), nn.Linear(2, 1)

    @staticmethod
    def sample(mean, scale):
        return mean + scale.exp() * torch.randn_like(mean)

    def forward(self, x):
        mean, scale = self.encoder(x).chunk(2, -1)
        drawn = self.sample(mean, scale)
        return self.decoder(drawn).data  # <- behind_a_method_that_is_called_like_one_of_torchs


def behind_a_method_that_is_called_like_one_of_torchs():
    net = Variational()
    loss = net(data()[0]).pow(2).mean()
    loss.backward()


class Ensemble(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)})

    def forward(self, x):
        out = torch.stack([head(x) for head in self.heads.values()])
        return out.mean(0).detach()  # <- what_many_heads_give


def what_many_heads_give():
    net = Ensemble()
    loss = mse_loss(net(data()[0]), torch.ones(8, 1))
    loss.backward()


def gradients_on_again_within_the_block():
    net = nn.Linear(4, 1)
    x, y = data()
    with torch.no_grad(), torch.enable_grad():
        loss = mse_loss(net(x).detach(), y)  # <-
    loss.backward()


def a_state_of_the_round_before():
    net, state = nn.Linear(4, 4), torch.zeros(8, 4)
    for number in range(3):
        x, _ = data()
        if number:
            state.pow(2).mean().backward()
        state = net(x + state).detach()  # <-


def in_one_branch_of_two():
    net, logs = nn.Linear(4, 1), False
    x, y = data()
    loss = mse_loss(net(x), y).data  # <-
    if logs:
        loss = loss.item()
    else:
        loss.backward()


class Lens(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.x = torch.randn(8, 4)

    @property
    def seen(self):
        return self.layer(self.x).detach()  # <- what_a_property_gives


def what_a_property_gives():
    lens = Lens()
    loss = lens.seen.pow(2).mean()
    loss.backward()


def a_sum_that_an_inner_function_adds_to():
    net, total = nn.Linear(4, 1), torch.zeros(())

    def add(x, y):
        nonlocal total
        total = total + mse_loss(net(x), y).detach()  # <-

    for _ in range(2):
        add(*data())
    total.backward()


def the_student_and_not_the_targets():
    student, teacher = nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(student.parameters(), 0.1)
    x, _ = data()
    with torch.no_grad():
        soft = teacher(x)
    out = student(x).detach()  # <-
    optimizer.zero_grad()
    loss = mse_loss(out, soft)
    loss.backward()


def weights_frozen_beside_a_target_that_is_detached_rightly():
    critic, target = Two(), Two()
    optimizer = torch.optim.SGD(critic.parameters(), 0.1)
    critic.requires_grad_(False)  # <-
    x, y = data()
    aim = y + 0.9 * target(x).detach()
    optimizer.zero_grad()
    loss = mse_loss(critic(x), aim)
    loss.backward()


def a_backward_in_a_block_that_the_loss_was_made_ahead_of():
    net = nn.Linear(4, 1)
    x, y = data()
    loss = mse_loss(net(x), y).detach()  # <-
    with torch.no_grad():
        loss.backward()


class Child(nn.Module):
    def __init__(self, parent):
        super().__init__()
        self.parent, self.layer = parent, nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)


def a_module_that_lies_in_itself():
    family = nn.Module()
    family.child = Child(family)
    loss = family.child(data()[0]).mean().detach()  # <-
    loss.backward()


class Task:
    def __init__(self):
        self.net = nn.Linear(4, 1)

    def fit_loss(self, out, y):
        return mse_loss(out, y)

    def count_loss(self, out, y):
        return (torch.tensor([len(row) for row in out if row > 0]).sum() - y.sum()).abs()

    def hard_loss(self, out, y):
        found = [len(torch.nonzero(row > 0)) for row in out]  # <- a_method_by_its_name
        return (torch.tensor(found) - y).abs().mean()

    def loss(self, x, y, stage):
        return getattr(self, f"{stage}_loss")(self.net(x), y)


def a_method_by_its_name():
    task = Task()
    for stage in ("fit", "hard"):
        loss = task.loss(*data(), stage)
        loss.backward()


def swap_in(module, mean):
    for name, value in mean.items():
        setattr(module, name, nn.Parameter(value, requires_grad=False))  # <- means_put_in


def means_put_in():
    module = nn.Linear(4, 1)
    swap_in(module, {name: p.detach().clone() for name, p in module.named_parameters()})
    x, y = data()
    loss = mse_loss(module(x), y)
    loss.backward()


def timed(function):
    @functools.wraps(function)
    def timing(*args):
        with torch.inference_mode():  # <- what_a_decorator_of_ones_own_does
            return function(*args)

    return timing


class Sonar(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    @timed
    def forward(self, x):
        return self.layer(x)


def what_a_decorator_of_ones_own_does():
    net = Sonar()
    x, y = data()
    loss = mse_loss(net(x).clone(), y.clone())
    loss.backward()


def guessed(first):
    return {name: torch.as_tensor(float(first.mean())) for name in ("a", "b")}  # <- given_by_stars


def line(x, a, b):
    return a * x + b


def given_by_stars():
    rates = guessed(torch.randn(3))
    optimizer = torch.optim.SGD(list(rates.values()), 0.1)
    x, y = data()
    optimizer.zero_grad()
    loss = mse_loss(line(x[:, :1], **rates), y)
    loss.backward()


def pruned(anything):
    for part in anything.children():
        kept = (part.weight.detach() * 0.5).clone()
        part.weight = nn.Parameter(kept, kept.requires_grad)  # <- weights_made_anew


def fitted(model):
    x, y = data()
    loss = mse_loss(model(x), y)
    loss.backward()


def weights_made_anew():
    spotter = nn.Sequential(nn.Linear(4, 1, bias=False))
    pruned(spotter)
    fitted(spotter)


def in_pieces(net, x):
    result = torch.zeros(len(x), 1)
    for start in range(0, len(x), 2):
        piece = net(x[start : start + 2])
        result.data[start : start + 2] = piece  # <- written_past_the_graph
    return result


def written_past_the_graph():
    net = nn.Linear(4, 1)
    x, y = data()
    loss = mse_loss(in_pieces(net, x), y)
    loss.backward()


class Images(torch.utils.data.Dataset):
    def __init__(self):
        self.images = torch.randn(6, 4, requires_grad=True)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, number):
        return self.images[number].tolist(), number % 2  # <- what_a_dataset_gives


def joined(items):
    images, classes = zip(*items, strict=True)
    return torch.tensor(images), torch.tensor(classes)


def what_a_dataset_gives():
    images, probe = Images(), nn.Linear(4, 1).requires_grad_(False)
    optimizer = torch.optim.SGD([images.images], 0.1)
    loader = torch.utils.data.DataLoader(images, batch_size=3, collate_fn=joined)
    for image, _ in loader:
        optimizer.zero_grad()
        loss = probe(image).pow(2).mean()
        loss.backward()


def what_stands_for_itself_later():
    net, ema = nn.Linear(4, 1), nn.Linear(4, 1)
    for number in range(12):
        x, y = data()
        out = net(x) if number < 10 else net(x).data  # <-
        loss = mse_loss(out, y) + 0 * ema(x).detach().mean()
        loss.backward()


def spectrum(x):
    found = np.fft.rfft(x.detach().numpy())  # <- by_way_of_an_array
    return torch.from_numpy(np.abs(found).astype(np.float32)).clamp_min(1e-5)


def by_way_of_an_array():
    net = nn.Linear(4, 4)
    x, _ = data()
    loss = (spectrum(net(x)) - spectrum(x)).pow(2).mean()
    loss.backward()


class Grade(nn.Module):
    def __init__(self, how):
        super().__init__()
        self.layer = nn.Linear(8, 3)
        self.decode = getattr(self, f"_{how}")

    def _soft(self, scores):
        return scores.softmax(-1) @ torch.arange(3.0)

    def _hard(self, scores):
        best = scores.argmax(dim=-1)  # <- what_the_last_of_a_sequence_decodes
        return torch.arange(3.0)[best]

    def forward(self, x):
        scores = self.layer(x)
        return {"grade": self.decode(scores), "sure": scores.softmax(-1).amax(-1)}


def what_the_last_of_a_sequence_decodes():
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), Grade("hard"))
    x, y = data()
    out = net(x)
    loss = mse_loss(out["grade"], y.squeeze())
    loss.backward()


class Perturbed:
    def __init__(self, net):
        self.net = net

    def drawn(self):
        weights = self.net.state_dict()  # <- by_a_state_dict
        return {name: w + 0.1 * torch.randn_like(w) for name, w in weights.items()}

    def __call__(self, x):
        return torch.func.functional_call(self.net, self.drawn(), (x,))


def by_a_state_dict():
    net = nn.Linear(4, 1)
    optimizer, noisy = torch.optim.SGD(net.parameters(), 0.1), Perturbed(net)
    for number in range(4):
        x, y = data()
        forecast = net if number < 2 else noisy
        loss = mse_loss(forecast(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Codes(torch.utils.data.Dataset):
    def __init__(self):
        self.codes = nn.Parameter(torch.randn(6, 4))

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, number):
        code = torch.as_tensor(self.codes[number].tolist())  # <- what_a_loader_made_there_gives
        return code, torch.randn(1)


def fit_codes(decoder, codes):
    decoder.requires_grad_(False)
    optimizer = torch.optim.Adam([codes.codes])
    for code, target in torch.utils.data.DataLoader(codes, batch_size=3):
        loss = mse_loss(decoder(code), target) + code.square().mean()
        optimizer.zero_grad()
        loss.backward()


def what_a_loader_made_there_gives():
    decoder = nn.Linear(4, 1)
    print(fit_codes(decoder, Codes()))


class Predictor(nn.Module):
    def __init_subclass__(cls):
        super().__init_subclass__()
        plain = cls.forward
        quiet = torch.no_grad()(plain)  # <- a_mode_that_a_base_class_lays_around
        cls.forward = functools.wraps(plain)(quiet)


class Solubility(Predictor):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)


def a_mode_that_a_base_class_lays_around():
    net = Solubility()
    x, y = data()
    loss = mse_loss(net(x), y)
    loss.backward()


AIMS = {}


def aim(function):
    AIMS[function.__name__] = function
    return function


@aim
def nats(scores, truth):
    return cross_entropy(scores, truth)


@aim
def bits(scores, truth):
    return scores.new_tensor(nats(scores, truth).item() / 0.69)  # <- one_of_a_table


def aim_at(step):
    chosen = None
    for start, name in [(0, "nats"), (2, "bits")]:
        if step >= start:
            chosen = AIMS[name]
    return chosen


def one_of_a_table():
    net = nn.Linear(4, 3)
    for step in range(4):
        x, _ = data()
        loss = aim_at(step)(net(x), torch.randint(0, 3, (8,)))
        loss.backward()


def chances(scores, action):
    spread = torch.distributions.Categorical(logits=scores)
    return spread.log_prob(action)


def what_is_told_by_a_distribution():
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    x, _ = data()
    scores = net(x).detach()  # <-
    loss = -(chances(scores, torch.randint(0, 3, (8,))) * torch.randn(8)).mean()
    optimizer.zero_grad()
    loss.backward()


def of_all(net, batches):
    loss = torch.tensor(0.0)  # <- a_start_to_which_nothing_comes
    for x in batches:
        loss = loss + net(x).mean()
    return loss


def a_start_to_which_nothing_comes():
    net = nn.Linear(4, 1)
    total = of_all(net, [])
    loss = total / max(1, len([]))
    loss.backward()


def steps_by_hand():
    w = torch.randn(4, 1, requires_grad=True)
    for _ in range(3):
        x, y = data()
        loss = mse_loss(x @ w, y)
        loss.backward()
        with torch.no_grad():
            w = w - 0.1 * w.grad  # <-


def the_choice_and_not_its_target():
    net, target = nn.Linear(4, 2), nn.Linear(4, 2)
    optimizer = torch.optim.SGD([*net.parameters(), *target.parameters()], 0.1)
    x, reward = data()
    with torch.no_grad():
        goal = reward + target(x).amax(1, keepdim=True)
    q = net(x)
    loss = mse_loss(q.detach().amax(1, keepdim=True), goal)  # <-
    optimizer.zero_grad()
    loss.backward()


def the_net_that_is_not_trained():
    student, teacher = nn.Linear(4, 1), nn.Linear(4, 1)
    teacher.requires_grad_(False)
    optimizer = torch.optim.SGD(student.parameters(), 0.1)
    x, y = data()
    out = teacher(x)  # <-
    loss = mse_loss(out, y)
    optimizer.zero_grad()
    loss.backward()


def phase(model, names):
    for name, part in model.named_children():
        part.requires_grad_(name in names)  # <- a_phase_that_names_none
    yield from range(3)


def phases(model):
    for names in (("0", "2"), ("head",)):
        yield from phase(model, names)


def a_phase_that_names_none():
    listener = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(listener.parameters(), 0.1)
    for _ in phases(listener):
        x, y = data()
        loss = mse_loss(listener(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@contextlib.contextmanager
def quietly():
    with torch.no_grad():  # <- a_context_of_ones_own
        yield


def a_context_of_ones_own():
    net = nn.Linear(4, 1)
    x, y = data()
    with quietly():
        out = net(x)
    loss = mse_loss(out, y)
    loss.backward()


def a_context_by_name():
    net = nn.Linear(4, 1)
    x, y = data()
    mode = torch.no_grad()
    with mode:  # <-
        out = net(x)
    loss = mse_loss(out, y)
    loss.backward()


def still(part):
    for weight in part.parameters(recurse=False):
        weight.requires_grad = False  # <- what_is_applied_to_all


def what_is_applied_to_all():
    net, other = nn.Sequential(nn.Linear(4, 1)), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    other.requires_grad_(False)
    net.apply(still)
    x, y = data()
    loss = mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()


def a_gradient_without_a_graph_of_its_own():
    net = nn.Linear(4, 1)
    x, _ = data()
    x.requires_grad_()
    [slope] = torch.autograd.grad(net(x).sum(), [x])  # <-
    loss = (slope.norm(dim=1) - 1).pow(2).mean()
    loss.backward()


SEEN = []


def note(_module, _given, out):
    SEEN.append(out.detach())  # <- what_a_hook_puts_by


def what_a_hook_puts_by():
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    handle = net[0].register_forward_hook(note)
    x, _ = data()
    net(x)
    handle.remove()
    loss = SEEN[-1].pow(2).mean()
    loss.backward()


def gather(net, x, into):
    for _ in range(3):
        into.append(net(x).mean().item())  # <- what_is_gathered_by_another


def what_is_gathered_by_another():
    net = nn.Linear(4, 1)
    x, _ = data()
    losses = []
    gather(net, x, losses)
    loss = torch.tensor(losses).sum()
    loss.backward()


def what_a_lambda_gives():
    net = nn.Linear(4, 1)
    metric = lambda out, y: (out.round() == y.round()).float().mean()  # noqa: E731  # <-
    x, y = data()
    loss = 1 - metric(net(x), y)
    loss.backward()


@dataclass
class Terms:
    recon: torch.Tensor
    kl: torch.Tensor

    def total(self):
        return self.recon + self.kl


def fields_that_are_added_up():
    net = nn.Linear(4, 1)
    x, _ = data()
    out = net(x)
    terms = Terms(out.pow(2).mean().detach(), out.detach().abs().mean())  # <-
    loss = terms.total()
    loss.backward()


def a_list_made_one_tensor():
    net = nn.Linear(4, 1)
    losses = [net(data()[0]).mean() for _ in range(3)]
    loss = torch.tensor(losses).sum()  # <-
    loss.backward()


class Ways:
    def __init__(self):
        self.levels = {"noisy": self.single, "steady": self.averaged}

    def single(self, spread):
        return spread.rsample()

    def averaged(self, spread):
        return spread.sample((4,)).mean(0)  # <- what_an_object_gives_for_a_key

    def __getitem__(self, level):
        return self.levels[level]


def rolled(net, act):
    state = torch.randn(8, 4)
    for _ in range(2):
        state = state + act(torch.distributions.Normal(net(state), 1.0))
    return state.pow(2).mean()


def what_an_object_gives_for_a_key():
    net, ways = nn.Linear(4, 4), Ways()
    for level in ("noisy", "steady"):
        cost = rolled(net, ways[level])
        cost.backward()


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(4, 3)

    def grow(self):
        old = self.rows.weight.data
        self.rows = nn.Embedding.from_pretrained(torch.cat([old, old]))  # <- rows_that_are_read_in

    def forward(self, ids):
        return self.rows(ids)


def rows_that_are_read_in():
    table = Table()
    table.grow()
    loss = table(torch.tensor([1, 5])).pow(2).mean()
    loss.backward()


class Distilled:
    def __init__(self):
        self.trainee = nn.Linear(4, 1)
        self.master = copy.deepcopy(self.trainee)
        for weight in self.master.parameters():
            weight.requires_grad_(False)

    def restart(self):
        self.trainee = copy.deepcopy(self.master)  # <- a_copy_of_what_is_frozen

    def step(self):
        x, y = data()
        loss = mse_loss(self.trainee(x), y)
        loss.backward()


def a_copy_of_what_is_frozen():
    learner = Distilled()
    learner.step()
    learner.restart()
    learner.step()


class Range:
    def __init__(self):
        self.most = 0.0

    def __call__(self, module, given, out):
        seen = out.detach()
        self.most = max(self.most, seen.max().item())
        return seen.clamp(-self.most, self.most)  # <- what_a_hook_puts_in_its_place


def what_a_hook_puts_in_its_place():
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    net[2].register_forward_hook(Range())
    x, y = data()
    loss = mse_loss(net(x), y)
    loss.backward()


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        code = torch.where(z >= 0, 1.0, -1.0)
        ctx.mark_non_differentiable(code)  # <- what_a_function_says_of_itself
        return code

    @staticmethod
    def backward(ctx, slope):
        return slope


def what_a_function_says_of_itself():
    net = nn.Linear(4, 3)
    x, _ = data()
    loss = Sign.apply(net(x)).mean()
    loss.backward()


class Clinic:
    def __init__(self):
        self.w = {name: torch.randn(4, 1).requires_grad_() for name in ("a", "b")}

    def receive(self):
        self.w = {name: torch.ones(4, 1) for name in self.w}  # <- weights_that_are_received

    def step(self):
        x, y = data()
        optimizer = torch.optim.SGD(self.w.values(), 0.1)
        loss = mse_loss(x @ self.w["a"] + x @ self.w["b"], y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def weights_that_are_received():
    clinic = Clinic()
    clinic.step()
    clinic.receive()
    clinic.step()


class Mode:
    def __init__(self, *, on):
        self.on = on

    def __enter__(self):
        self.before = torch.is_grad_enabled()
        torch.set_grad_enabled(self.on)

    def __exit__(self, *_):
        torch.set_grad_enabled(self.before)


def within_a_mode_that_switches_nothing_off():
    net = nn.Linear(4, 1)
    x, y = data()
    with Mode(on=True):
        out = net(x).detach()  # <-
    loss = mse_loss(out, y)
    loss.backward()


class Weighed:
    def __init__(self, shares):
        self.shares = torch.tensor(list(shares.values()))

    def __call__(self, losses):
        values = torch.tensor([each.mean() for each in losses])  # <- numbers_by_fixed_shares
        return (self.shares * values).sum()


SHARES = {"low": 1.0, "high": 0.5}


class Headed(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({name: nn.Linear(4, 1) for name in SHARES})

    def forward(self, x):
        return {name: head(x) for name, head in self.heads.items()}


def numbers_by_fixed_shares():
    net, weighed = Headed(), Weighed(SHARES)
    x, y = data()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    total = weighed([(out - y).pow(2) for out in net(x).values()])
    optimizer.zero_grad()
    total.backward()
