# gradwatch-corpus: kind=graph-chain
# holder: self.beta | self.kl_ctl.beta | trainer.kl_ctl.beta | ctl.beta | beta
# first-bad: 1
"""Toy RLHF: a bigram policy, a frozen reference, an adaptive KL coefficient (Ziegler et al.)."""
import argparse
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class BigramLM(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.table = nn.Embedding(vocab, vocab)
        nn.init.normal_(self.table.weight, std=0.3)

    def logps(self, prev):
        return F.log_softmax(self.table(prev), -1)

    @torch.no_grad()
    def sample(self, n, length):
        tok = torch.zeros(n, dtype=torch.long)
        seq = [tok]
        for _ in range(length):
            tok = torch.multinomial(self.logps(tok).exp(), 1).squeeze(1)
            seq.append(tok)
        return torch.stack(seq, 1)


class AdaptiveKL:
    def __init__(self, init=0.1, target=0.05, horizon=50, clip=0.2):
        self.beta = init
        self.target = target
        self.horizon = horizon
        self.clip = clip

    def update(self, kl, n_steps):
        err = (kl / self.target - 1).clamp(-self.clip, self.clip)  # <- culprit
        self.beta = self.beta * (1 + err * n_steps / self.horizon)  # <- culprit


class PolicyTrainer:
    def __init__(self, policy, ref, args):
        self.policy, self.ref, self.args = policy, ref, args
        self.values = nn.Embedding(args.vocab, 1)
        self.kl_ctl = AdaptiveKL()
        self.opt = torch.optim.Adam(
            [*policy.parameters(), *self.values.parameters()], lr=args.lr)
        self.recent = deque(maxlen=20)

    def reward(self, seq):
        # likes ascending pairs
        return (seq[:, 1:] > seq[:, :-1]).float()

    def step(self):
        seq = self.policy.sample(self.args.batch, self.args.length)
        prev, nxt = seq[:, :-1], seq[:, 1:]
        logp_all = self.policy.logps(prev)
        with torch.no_grad():
            ref_all = self.ref.logps(prev)
        kl = (logp_all.exp() * (logp_all - ref_all)).sum(-1).mean()
        r = self.reward(seq)
        v = self.values(prev).squeeze(-1)
        adv = (r - v).detach()
        pg = -(adv * logp_all.gather(-1, nxt[..., None]).squeeze(-1)).mean()
        self.opt.zero_grad()
        policy_loss = pg + self.kl_ctl.beta * kl
        policy_loss.backward(retain_graph=True)
        F.mse_loss(v, r).backward()
        self.opt.step()
        self.kl_ctl.update(kl, n_steps=1)  # <- culprit
        self.recent.append(r.mean().item())
        return kl.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--vocab", type=int, default=12)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--length", type=int, default=10)
    ap.add_argument("--updates", type=int, default=50)
    ap.add_argument("--lr", type=float, default=0.05)
    args = ap.parse_args()
    torch.manual_seed(8)
    torch.set_num_threads(1)
    policy, ref = BigramLM(args.vocab), BigramLM(args.vocab)
    ref.load_state_dict(policy.state_dict())
    ref.requires_grad_(False)
    trainer = PolicyTrainer(policy, ref, args)
    for u in range(args.updates * 2):
        kl = trainer.step()
        if u % 20 == 0:
            mean_r = sum(trainer.recent) / len(trainer.recent)
            print(f"update {u:3d} reward {mean_r:.3f} kl {kl:.4f} beta {float(trainer.kl_ctl.beta):.4f}")


if __name__ == "__main__":
    main()
