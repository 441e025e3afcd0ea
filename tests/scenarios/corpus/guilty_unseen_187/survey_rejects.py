# gradwatch-corpus: kind=graph-held
# holder: self.failures | runner.failures
# first-bad: 2
# notice: 20
import torch
from torch import nn


class SpikeError(RuntimeError):
    def __init__(self, step, loss):
        super().__init__(f"loss spike at step {step}")
        self.step = step
        self.loss = loss


class SurveyModel(nn.Module):
    def __init__(self, questions=12, answers=5):
        super().__init__()
        self.embed = nn.Embedding(questions * answers, 8)
        self.head = nn.Sequential(nn.Linear(questions * 8, 24), nn.ReLU(), nn.Linear(24, 1))
        self.register_buffer("offset", torch.arange(questions) * answers)

    def forward(self, answers):
        return self.head(self.embed(answers + self.offset).flatten(1)).squeeze(-1)


class Runner:
    def __init__(self, model, lr=3e-3, factor=1.02):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.factor = factor
        self.level = None
        self.failures = []

    def attempt(self, step, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        value = loss.item()
        previous = self.level
        self.level = value if previous is None else 0.9 * previous + 0.1 * value
        self.opt.zero_grad()
        loss.backward()
        if previous is not None and value > self.factor * previous:
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)
            self.opt.step()
            raise SpikeError(step, loss)
        self.opt.step()
        return value

    def run(self, batches):
        for step, (x, y) in enumerate(batches):
            try:
                self.attempt(step, x, y)
            except SpikeError as err:
                self.failures.append(err)  # <- culprit
            if step % 100 == 0:
                last = self.failures[-1] if self.failures else None
                print(f"step {step} level {self.level:.4f} spikes {len(self.failures)} last: {last}")


def respondents(steps, gen):
    taste = torch.randn(12, generator=gen)
    for _ in range(steps):
        x = torch.randint(0, 5, (8, 12), generator=gen)
        y = (x.float() - 2) @ taste / 4
        y = y + 0.8 * torch.randn(8, generator=gen)
        yield x, y


def main():
    torch.manual_seed(104)
    gen = torch.Generator().manual_seed(104)
    runner = Runner(SurveyModel())
    runner.run(respondents(500, gen))


if __name__ == "__main__":
    main()
