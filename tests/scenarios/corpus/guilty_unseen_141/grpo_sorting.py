# gradwatch-corpus: kind=graph-held
# holder: self.queue | recorder.queue | journal.queue
# first-bad: 1
# notice: 8
"""GRPO on a toy task: emit digits in ascending order."""
import copy

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(11)

N_SYM, LEN, GROUP = 6, 5, 8


class Journal:
    """Evaluates its entries when somebody asks for the report."""

    def __init__(self):
        self.queue = []

    def lazily(self, name, fn):
        self.queue.append((name, fn))

    def report(self, last):
        return {name: fn() for name, fn in self.queue[-last:]}


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(N_SYM + 1, 12)
        self.cell = nn.GRUCell(12, 20)
        self.out = nn.Linear(20, N_SYM)

    def logp(self, seqs):
        h = torch.zeros(len(seqs), 20)
        prev = torch.full((len(seqs),), N_SYM)
        lp = []
        for t in range(LEN):
            h = self.cell(self.emb(prev), h)
            lp.append(self.out(h).log_softmax(-1).gather(1, seqs[:, t:t + 1]).squeeze(1))
            prev = seqs[:, t]
        return torch.stack(lp, 1)

    @torch.no_grad()
    def generate(self, n):
        h, prev, out = torch.zeros(n, 20), torch.full((n,), N_SYM), []
        for _ in range(LEN):
            h = self.cell(self.emb(prev), h)
            prev = torch.multinomial(self.out(h).softmax(-1), 1).squeeze(1)
            out.append(prev)
        return torch.stack(out, 1)


def reward(seqs):
    return (seqs[:, 1:] >= seqs[:, :-1]).float().mean(1) + 0.1 * (seqs[:, -1] == N_SYM - 1).float()


def grpo_objective(policy, ref, seqs, adv, journal, clip=0.2, beta=0.02):
    with torch.no_grad():
        anchor = ref.logp(seqs)
    new = policy.logp(seqs)
    ratio = (new - new.detach()).exp()
    surrogate = torch.minimum(ratio * adv[:, None], ratio.clamp(1 - clip, 1 + clip) * adv[:, None])
    kl = (anchor - new).exp() - (anchor - new) - 1
    journal.lazily("kl", lambda: round(kl.mean().item(), 4))  # <- culprit
    return -(surrogate - beta * kl).mean()


def train(steps=260):
    policy = Policy()
    ref = copy.deepcopy(policy).requires_grad_(False)
    opt = torch.optim.Adam(policy.parameters(), lr=4e-3)
    journal = Journal()
    for step in range(steps):
        seqs = policy.generate(GROUP)
        r = reward(seqs)
        adv = (r - r.mean()) / (r.std() + 1e-4)
        loss = grpo_objective(policy, ref, seqs, adv, journal)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (step + 1) % 65 == 0:
            print(step + 1, r.mean().item(), journal.report(1))


if __name__ == "__main__":
    train()
