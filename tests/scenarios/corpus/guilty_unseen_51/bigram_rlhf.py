# gradwatch-corpus: kind=graph-chain
# holder: self.value | kl_ctl.value | self.kl_ctl.value | trainer.kl_ctl.value | running
# first-bad: 1
"""Policy gradient fine-tuning of a bigram LM with a smoothed KL penalty to the reference."""
import torch
import torch.nn as nn
import torch.nn.functional as F

ALPHABET = "abcdefghijklmnopqrstuvwxyz ."
N = len(ALPHABET)
VOWELS = torch.tensor([c in "aeiou" for c in ALPHABET]).float()


class BigramPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(N, N)
        self.bias = nn.Parameter(torch.zeros(N))
        nn.init.normal_(self.table.weight, std=0.3)

    def forward(self, prev):
        return F.log_softmax(self.table(prev) + self.bias, dim=-1)

    @torch.no_grad()
    def rollout(self, batch, length):
        seq = [torch.randint(N, (batch,))]
        for _ in range(length):
            seq.append(torch.multinomial(self(seq[-1]).exp(), 1)[:, 0])
        return torch.stack(seq, 1)


class SmoothedKL:
    """Moving average of the KL so that one odd batch does not move the penalty much."""

    def __init__(self, momentum=0.9, coef=0.5, target=0.05):
        self.momentum, self.coef, self.target = momentum, coef, target
        self.value = torch.zeros(())

    def penalty(self, kl):
        self.value = self.momentum * self.value + (1 - self.momentum) * kl  # <- culprit
        return self.coef * F.softplus((self.value - self.target) / self.target)


def score(seq):
    """Likes vowels and dislikes a letter said twice."""
    return VOWELS[seq[:, 1:]] - 0.5 * (seq[:, 1:] == seq[:, :-1]).float()


class Trainer:
    def __init__(self, lr=0.05, batch=32, length=24):
        self.policy, self.reference = BigramPolicy(), BigramPolicy()
        self.reference.load_state_dict(self.policy.state_dict())
        self.reference.requires_grad_(False)
        self.kl_ctl = SmoothedKL()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=lr)
        self.batch, self.length = batch, length

    def step(self):
        seq = self.policy.rollout(self.batch, self.length)
        reward = score(seq)
        returns = reward.flip(1).cumsum(1).flip(1)
        adv = (returns - returns.mean(0)) / (returns.std(0) + 1e-4)

        logp = self.policy(seq[:, :-1])
        ref = self.reference(seq[:, :-1])
        taken = logp.gather(-1, seq[:, 1:, None]).squeeze(-1)
        kl = (logp.exp() * (logp - ref)).sum(-1).mean()
        loss = -(adv * taken).mean() + self.kl_ctl.penalty(kl)  # <- culprit

        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return {"reward": reward.mean().item(), "kl": kl.item(), "loss": loss.item()}


if __name__ == "__main__":
    torch.manual_seed(2)
    trainer = Trainer()
    for i in range(1, 111):
        info = trainer.step()
        if i % 22 == 0:
            print(i, " ".join(f"{k}={v:.3f}" for k, v in info.items()))
    text = trainer.policy.rollout(2, 40)
    for row in text:
        print("".join(ALPHABET[c] for c in row))
