# gradwatch-corpus: kind=graph-chain
# holder: session.profile | state.profile | self.session.profile | loop.session.profile
# first-bad: 1
# notice: 5
from dataclasses import dataclass, field

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(1337)


@dataclass(frozen=True)
class Settings:
    pages: int = 25
    width: int = 8
    keep: float = 0.85
    lr: float = 0.02
    events: int = 320
    backward: dict = field(default_factory=lambda: {"retain_graph": True})


@dataclass
class Session:
    profile: torch.Tensor
    seen: int = 0

    def absorb(self, vec, keep):
        self.profile = keep * self.profile + vec  # <- culprit
        self.seen += 1


class IntentModel(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        self.page = nn.Embedding(s.pages, s.width)
        self.head = nn.Sequential(nn.LayerNorm(s.width), nn.Linear(s.width, 10), nn.ReLU(), nn.Linear(10, 3))

    def forward(self, profile):
        return self.head(profile)


def clickstream(s):
    page = 0
    for _ in range(s.events):
        page = (page * 7 + int(torch.randint(0, 5, ()))) % s.pages
        yield torch.tensor(page), torch.tensor(page % 3)


class Loop:
    def __init__(self, s):
        self.s = s
        self.model = IntentModel(s)
        self.session = Session(torch.zeros(s.width))
        self.optim = torch.optim.Adam(self.model.parameters(), lr=s.lr)

    def on_event(self, page, intent):
        self.session.absorb(self.model.page(page), self.s.keep)
        loss = nn.functional.cross_entropy(self.model(self.session.profile), intent)
        self.optim.zero_grad()
        loss.backward(**self.s.backward)
        self.optim.step()
        return loss.detach()

    def run(self):
        acc = torch.zeros(())
        for page, intent in clickstream(self.s):
            acc += self.on_event(page, intent)
        return acc.item() / self.session.seen


loop = Loop(Settings())
print("mean loss", round(loop.run(), 4))
