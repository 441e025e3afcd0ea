# gradwatch-corpus: kind=graph-held
# holder: model.seen_loss | self.seen_loss | detector.seen_loss
# first-bad: 1
# notice: 8
"""Whale call detector, bf16 autocast, gradient accumulation over four hydrophones."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(90)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Conv1d(1, 8, 7, stride=2)
        self.mid = nn.Conv1d(8, 8, 5, stride=2)
        self.decide = nn.Linear(8, 1)
        self.register_buffer("seen_loss", torch.zeros(()), persistent=False)
        self.register_buffer("seen", torch.zeros((), dtype=torch.long), persistent=False)

    def forward(self, clip, call=None):
        h = torch.relu(self.front(clip))
        h = torch.relu(self.mid(h)).mean(-1)
        logit = self.decide(h).squeeze(-1)
        if call is None:
            return logit
        loss = nn.functional.binary_cross_entropy_with_logits(logit.float(), call)
        self.seen_loss = self.seen_loss + loss  # <- culprit
        self.seen += 1
        return loss

    def mean_loss(self):
        return (self.seen_loss / self.seen.clamp(min=1)).item()


class Hydrophone:
    def __init__(self, noise, seed):
        self.noise, self.rng = noise, torch.Generator().manual_seed(seed)

    def __iter__(self):
        t = torch.arange(48) / 48
        sweep = torch.sin(30 * t + 40 * t**2)
        while True:
            call = (torch.rand(4, generator=self.rng) > 0.5).float()
            clip = call[:, None] * sweep + self.noise * torch.randn(4, 48, generator=self.rng)
            yield clip[:, None], call


def main():
    detector = Detector()
    opt = torch.optim.Adam(detector.parameters(), lr=3e-3)
    array = [iter(Hydrophone(0.4 + 0.2 * i, i)) for i in range(4)]
    for update in range(200):
        for phone in array:
            clip, call = next(phone)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = detector(clip, call)
            (loss / len(array)).backward()
        nn.utils.clip_grad_norm_(detector.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        if update % 50 == 49:
            print(update + 1, round(detector.mean_loss(), 4))


main()
