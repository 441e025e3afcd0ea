# gradwatch-corpus: kind=graph-held
# holder: self.rows | logger.rows | self.logger.rows | trainer.logger.rows
# first-bad: 1
"""GRPO on a toy digit-copying task: a tiny GRU policy, group-normalised rewards, k3 KL to a frozen reference."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, PROMPT, GEN, GROUP = 12, 4, 4, 6


class TinyLM(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.lm_head = nn.Linear(width, VOCAB)

    def forward(self, ids):
        out, _ = self.rnn(self.emb(ids))
        return self.lm_head(out)


@torch.no_grad()
def generate(model, prompt):
    ids = prompt
    for _ in range(GEN):
        logits = model(ids)[:, -1]
        nxt = torch.multinomial(logits.softmax(-1), 1)
        ids = torch.cat([ids, nxt], 1)
    return ids


def token_logps(model, ids):
    logits = model(ids[:, :-1])[:, PROMPT - 1:]
    logp = logits.log_softmax(-1)
    picked = logp.gather(-1, ids[:, PROMPT:, None]).squeeze(-1)
    entropy = -(logp.exp() * logp).sum(-1)
    return picked, entropy


def reward_fn(ids):
    return (ids[:, :PROMPT] == ids[:, PROMPT:]).float().mean(1)


class RowLogger:
    def __init__(self, every):
        self.rows = []
        self.every = every

    def log(self, step, **metrics):
        self.rows.append({"step": step, **metrics})  # <- culprit
        if step % self.every == 0:
            shown = " ".join(f"{k}={float(v):.3f}" for k, v in metrics.items())
            print(f"[{step}] {shown}")

    def column(self, key):
        return [float(r[key]) for r in self.rows]


class GRPOTrainer:
    def __init__(self, policy, lr=3e-3, clip=0.2, beta=0.04):
        self.policy = policy
        self.ref = copy.deepcopy(policy).requires_grad_(False)
        self.opt = torch.optim.AdamW(policy.parameters(), lr=lr)
        self.clip, self.beta = clip, beta
        self.logger = RowLogger(every=40)

    def advantages(self, rewards):
        r = rewards.view(-1, GROUP)
        adv = (r - r.mean(1, keepdim=True)) / (r.std(1, keepdim=True) + 1e-4)
        return adv.flatten()

    def step(self, i, prompts):
        prompts = prompts.repeat_interleave(GROUP, 0)
        ids = generate(self.policy, prompts)
        rewards = reward_fn(ids)
        adv = self.advantages(rewards)[:, None]
        with torch.no_grad():
            old, _ = token_logps(self.policy, ids)
            ref, _ = token_logps(self.ref, ids)
        new, entropy = token_logps(self.policy, ids)
        ratio = (new - old).exp()
        surrogate = torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv)
        kl = (ref - new).exp() - (ref - new) - 1
        loss = (-surrogate + self.beta * kl - 1e-3 * entropy).mean()
        self.opt.zero_grad()
        loss.backward()
        gnorm = nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        self.logger.log(i, loss=loss.item(), reward=rewards.mean().item(), kl=kl.mean(), entropy=entropy.mean().item(), gnorm=gnorm.item())  # <- culprit


def main():
    torch.manual_seed(21)
    trainer = GRPOTrainer(TinyLM())
    for i in range(120):
        trainer.step(i, torch.randint(0, VOCAB, (6, PROMPT)))
    rew = trainer.logger.column("reward")
    print("mean reward, last 20:", round(sum(rew[-20:]) / 20, 3), "chance", round(1 / VOCAB, 3))
    assert math.isfinite(rew[-1])


if __name__ == "__main__":
    main()
