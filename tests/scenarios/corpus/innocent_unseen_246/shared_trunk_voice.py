# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

HEADS = {}


def head(name, weight):
    def wrap(cls):
        HEADS[name] = (cls, weight)
        return cls

    return wrap


@head("speaker", 1.0)
class SpeakerHead(nn.Module):
    def __init__(self, width, speakers):
        super().__init__()
        self.out = nn.Linear(width, speakers)

    def loss(self, code, batch):
        return F.cross_entropy(self.out(code), batch["speaker"])


@head("emotion", 0.5)
class EmotionHead(nn.Module):
    def __init__(self, width, speakers):
        super().__init__()
        self.out = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2))

    def loss(self, code, batch):
        return F.mse_loss(self.out(code), batch["emotion"])


class VoiceBatches:
    def __init__(self, mels, speakers, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.speakers = speakers
        self.timbre = torch.randn(speakers, mels, generator=self.gen)
        self.mood = torch.randn(2, mels, generator=self.gen)

    def draw(self, size):
        speaker = torch.randint(0, self.speakers, (size,), generator=self.gen)
        emotion = torch.rand(size, 2, generator=self.gen) * 2 - 1
        noise = 0.4 * torch.randn(size, self.timbre.shape[1], generator=self.gen)
        mel = self.timbre[speaker] + emotion @ self.mood + noise
        return {"mel": mel, "speaker": speaker, "emotion": emotion}


class GradientTracker:
    """Bounded record of how the tasks pull on the trunk."""

    def __init__(self, size):
        self.size = size
        self.cosines = []

    def push(self, left, right):
        cosine = F.cosine_similarity(left, right, dim=0).item()
        self.cosines.append(cosine)
        del self.cosines[: -self.size]

    def mean(self):
        return sum(self.cosines) / max(1, len(self.cosines))


class TwoTaskTrainer:
    def __init__(self, mels, width, speakers):
        self.trunk = nn.Sequential(nn.Linear(mels, width), nn.ReLU(), nn.Linear(width, width), nn.Tanh())
        self.heads = {}
        self.head_opts = {}
        for name, (cls, weight) in HEADS.items():
            module = cls(width, speakers)
            self.heads[name] = (module, weight)
            self.head_opts[name] = torch.optim.Adam(module.parameters(), lr=3e-3)
        self.trunk_opt = torch.optim.Adam(self.trunk.parameters(), lr=1e-3)
        self.tracker = GradientTracker(50)

    def flat_grad(self):
        return torch.cat([p.grad.flatten() for p in self.trunk.parameters()])

    def step(self, batch):
        code = self.trunk(batch["mel"])
        names = list(self.heads)
        pulls = []
        values = {}
        for position, name in enumerate(names):
            module, weight = self.heads[name]
            loss = weight * module.loss(code, batch)
            self.trunk_opt.zero_grad()
            self.head_opts[name].zero_grad()
            more = position < len(names) - 1
            loss.backward(retain_graph=more)
            pulls.append(self.flat_grad().clone())
            values[name] = loss.item()
        self.tracker.push(*pulls)
        self.assign(sum(pulls))
        self.trunk_opt.step()
        for opt in self.head_opts.values():
            opt.step()
        return values

    def assign(self, flat):
        start = 0
        for p in self.trunk.parameters():
            p.grad.copy_(flat[start : start + p.numel()].view_as(p))
            start += p.numel()


def main():
    torch.manual_seed(53)
    source = VoiceBatches(mels=30, speakers=7, seed=53)
    trainer = TwoTaskTrainer(mels=30, width=40, speakers=7)
    for number in range(130):
        values = trainer.step(source.draw(48))
        if number % 40 == 0:
            shown = {name: round(v, 4) for name, v in values.items()}
            print(number, shown, round(trainer.tracker.mean(), 3))


if __name__ == "__main__":
    main()
