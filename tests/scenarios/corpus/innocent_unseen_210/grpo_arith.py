# gradwatch-corpus: kind=none
import copy
from dataclasses import dataclass
from typing import List

import torch
from torch import nn
import torch.nn.functional as F

EOS, VOCAB = 10, 12


@dataclass
class Rollout:
    ids: torch.Tensor
    old_logp: torch.Tensor
    ref_logp: torch.Tensor
    adv: torch.Tensor
    mask: torch.Tensor


class GRUPolicy(nn.Module):
    def __init__(self, d=48):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.head = nn.Linear(d, VOCAB)

    def forward(self, ids, h=None):
        y, h = self.rnn(self.emb(ids), h)
        return self.head(y), h


def token_logps(model, ids, plen):
    logits, _ = model(ids[:, :-1])
    return logits.log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)[:, plen - 1:]


@torch.no_grad()
def generate(model, prompts, max_new):
    logits, h = model(prompts)
    out, last = [prompts], logits[:, -1]
    for _ in range(max_new):
        tok = torch.distributions.Categorical(logits=last).sample()[:, None]
        out.append(tok)
        step, h = model(tok, h)
        last = step[:, -1]
    return torch.cat(out, 1)


class GRPOTrainer:
    def __init__(self, policy, group=8, epochs=2, clip=0.2, kl=0.02):
        self.policy = policy
        self.ref = copy.deepcopy(policy).requires_grad_(False).eval()
        self.group, self.epochs, self.clip, self.kl = group, epochs, clip, kl
        self.opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
        self.buffer: List[Rollout] = []
        self.reward_log = []

    def reward(self, ids, plen):
        want = (ids[:, 0] + ids[:, 1]) % 10
        comp = ids[:, plen:]
        return (comp[:, 0] == want).float() + 0.2 * (comp == EOS).any(1).float()

    def collect(self, prompts):
        plen = prompts.shape[1]
        ids = generate(self.policy, prompts.repeat_interleave(self.group, 0), 4)
        r = self.reward(ids, plen).view(-1, self.group)
        adv = ((r - r.mean(1, keepdim=True)) / (r.std(1, keepdim=True) + 1e-4)).flatten()
        with torch.no_grad():
            old = token_logps(self.policy, ids, plen)
            ref = token_logps(self.ref, ids, plen)
        done = (ids[:, plen:] == EOS).float().cumsum(1)
        mask = ((done - (ids[:, plen:] == EOS).float()) == 0).float()
        self.buffer.append(Rollout(ids, old, ref, adv, mask))
        self.reward_log.append(r.mean().item())

    def learn(self, plen):
        for _ in range(self.epochs):
            for ro in self.buffer:
                lp = token_logps(self.policy, ro.ids, plen)
                ratio = (lp - ro.old_logp).exp()
                a = ro.adv[:, None]
                pg = -torch.min(ratio * a, ratio.clamp(1 - self.clip, 1 + self.clip) * a)
                d = ro.ref_logp - lp
                kl = d.exp() - d - 1
                loss = ((pg + self.kl * kl) * ro.mask).sum() / ro.mask.sum()
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
                self.opt.step()
        self.buffer.clear()
        return loss.item()


def main():
    torch.manual_seed(2)
    tr = GRPOTrainer(GRUPolicy())
    for it in range(60):
        for _ in range(2):
            tr.collect(torch.randint(0, 10, (6, 2)))
        l = tr.learn(2)
        if it % 15 == 0:
            print(it, f"loss {l:.4f} reward {sum(tr.reward_log[-10:]) / len(tr.reward_log[-10:]):.3f}")


main()
