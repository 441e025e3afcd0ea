# gradwatch-corpus: kind=none
import contextlib
import copy

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class GraspNet(nn.Module):
    """Predicts grasp quality of a depth patch."""

    def __init__(self, pixels, width, depth, save_memory):
        super().__init__()
        self.save_memory = save_memory
        self.stem = nn.Linear(pixels, width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])
        self.quality = nn.Linear(width, 1)

    def forward(self, patch):
        x = self.stem(patch)
        for block in self.blocks:
            if self.save_memory and torch.is_grad_enabled():
                x = checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)
        return self.quality(x).squeeze(-1)


class FeatureTap:
    def __init__(self):
        self.found = {}

    def hook(self, name):
        def keep(module, inputs, output):
            self.found[name] = output

        return keep


@contextlib.contextmanager
def tapped(model, names):
    tap = FeatureTap()
    modules = dict(model.named_modules())
    handles = [modules[name].register_forward_hook(tap.hook(name)) for name in names]
    try:
        yield tap.found
    finally:
        for handle in handles:
            handle.remove()
        tap.found.clear()


class EmaTeacher:
    def __init__(self, student, decay):
        self.net = copy.deepcopy(student)
        self.net.requires_grad_(False)
        self.net.eval()
        self.decay = decay

    @torch.no_grad()
    def follow(self, student):
        for slow, fast in zip(self.net.parameters(), student.parameters()):
            slow.lerp_(fast, 1 - self.decay)

    @torch.no_grad()
    def label(self, patch):
        return self.net(patch)


def depth_patches(pixels, labelled, unlabelled, seed):
    gen = torch.Generator().manual_seed(seed)
    ridge = torch.randn(pixels, generator=gen) / pixels**0.5
    while True:
        patch = torch.randn(labelled, pixels, generator=gen)
        score = torch.tanh(2 * patch @ ridge)
        extra = torch.randn(unlabelled, pixels, generator=gen)
        yield patch, score, extra


class SemiTrainer:
    taps = ("stem",)

    def __init__(self, student):
        self.student = student
        self.teacher = EmaTeacher(student, decay=0.97)
        self.optimizer = torch.optim.AdamW(student.parameters(), lr=2e-3)
        self.trace = {"fit": 0.0, "agree": 0.0, "scale": 0.0}

    def remember(self, **values):
        for name, value in values.items():
            self.trace[name] = 0.9 * self.trace[name] + 0.1 * value.item()

    def step(self, patch, score, extra):
        with tapped(self.student, self.taps) as found:
            fit = F.mse_loss(self.student(patch), score)
            scale = found["stem"].pow(2).mean()
            noisy = extra + 0.1 * torch.randn_like(extra)
            agree = F.mse_loss(self.student(noisy), self.teacher.label(extra))
            loss = fit + 0.3 * agree + 1e-3 * scale
            self.optimizer.zero_grad()
            loss.backward()
        self.optimizer.step()
        self.teacher.follow(self.student)
        self.remember(fit=fit, agree=agree, scale=scale)


def main():
    torch.manual_seed(83)
    trainer = SemiTrainer(GraspNet(pixels=64, width=40, depth=3, save_memory=True))
    source = depth_patches(64, 32, 32, seed=83)
    for number in range(120):
        trainer.step(*next(source))
        if number % 30 == 0:
            print(number, {name: round(v, 4) for name, v in trainer.trace.items()})


if __name__ == "__main__":
    main()
