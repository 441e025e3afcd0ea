# gradwatch-corpus: kind=second-backward
# holder: self.centroids | self.centroids[spk] | bank.centroids | self.bank.centroids | trainer.bank.centroids
# first-bad: 1
"""Speaker verification: a TDNN embedder trained with a softmax over running speaker centroids."""
import torch
from torch import nn

from centroids import CentroidBank
from voices import VoiceSampler


class TDNN(nn.Module):
    def __init__(self, feats=24, dim=32):
        super().__init__()
        self.l1 = nn.Conv1d(feats, 48, 5, dilation=1)
        self.l2 = nn.Conv1d(48, 48, 3, dilation=2)
        self.proj = nn.Linear(96, dim)

    def forward(self, x):
        h = torch.relu(self.l2(torch.relu(self.l1(x))))
        stats = torch.cat([h.mean(-1), h.std(-1)], dim=1)
        return nn.functional.normalize(self.proj(stats), dim=1)


class WarmupMixin:
    warmup_steps = 30

    def warmup(self, step):
        scale = min(1.0, (step + 1) / self.warmup_steps)
        for group in self.opt.param_groups:
            group["lr"] = self.base_lr * scale


class VerificationTrainer(WarmupMixin):
    base_lr = 1e-3

    def __init__(self, speakers):
        self.net = TDNN()
        self.bank = CentroidBank(speakers, dim=32)
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.bank.parameters()], lr=self.base_lr)

    def step(self, step, feats, who):
        self.warmup(step)
        emb = self.net(feats)
        self.bank.update(emb, who)
        loss = self.bank.loss(emb, who)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(19)
    sampler = VoiceSampler(speakers=40, per_batch=4, utterances=4)
    trainer = VerificationTrainer(40)
    for step in range(300):
        value = trainer.step(step, *sampler.draw())
        if step % 50 == 0:
            print(f"step {step} loss {value:.4f}")


if __name__ == "__main__":
    main()
