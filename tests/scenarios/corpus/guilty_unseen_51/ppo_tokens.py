# gradwatch-corpus: kind=second-backward
# holder: adv | advantages | roll["adv"] | roll
# first-bad: 1
"""PPO on a token policy that should learn to write ascending runs."""
import logging
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("ppo")


@dataclass
class Hp:
    vocab: int = 12
    horizon: int = 12
    envs: int = 24
    rollouts: int = 80
    ppo_epochs: int = 3
    clip: float = 0.2
    vf_coef: float = 0.5
    ent_coef: float = 0.01
    lam: float = 0.9
    lr: float = 4e-3


class ActorCritic(nn.Module):
    def __init__(self, hp, dim=32):
        super().__init__()
        self.emb = nn.Embedding(hp.vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.pi = nn.Linear(dim, hp.vocab)
        self.vf = nn.Linear(dim, 1)

    def forward(self, obs):
        h, _ = self.rnn(self.emb(obs))
        return F.log_softmax(self.pi(h), -1), self.vf(h).squeeze(-1)


@torch.no_grad()
def play(model, hp):
    seq = torch.randint(hp.vocab, (hp.envs, 1))
    for _ in range(hp.horizon):
        logp, _ = model(seq)
        seq = torch.cat([seq, torch.multinomial(logp[:, -1].exp(), 1)], 1)
    return seq


def gae(reward, value, lam, gamma=0.98):
    nxt = torch.cat([value[:, 1:], torch.zeros(len(value), 1)], 1)
    delta = reward + gamma * nxt - value
    out, acc = [], torch.zeros(len(value))
    for t in reversed(range(delta.size(1))):
        acc = delta[:, t] + gamma * lam * acc
        out.append(acc)
    return torch.stack(out[::-1], 1)


def collect(model, hp):
    seq = play(model, hp)
    obs, act = seq[:, :-1], seq[:, 1:]
    logp, value = model(obs)  # <- culprit
    reward = (act == (obs + 1) % hp.vocab).float()
    adv = gae(reward, value, hp.lam)  # <- culprit
    return {
        "obs": obs, "act": act, "reward": reward,
        "old": logp.gather(-1, act[..., None]).squeeze(-1).detach(),
        "ret": (adv + value).detach(),
        "adv": (adv - adv.mean()) / (adv.std() + 1e-6),  # <- culprit
    }


def ppo_loss(model, roll, hp):
    logp, value = model(roll["obs"])
    new = logp.gather(-1, roll["act"][..., None]).squeeze(-1)
    ratio = (new - roll["old"]).exp()
    adv = roll["adv"]
    surr = torch.min(ratio * adv, ratio.clamp(1 - hp.clip, 1 + hp.clip) * adv)
    entropy = -(logp.exp() * logp).sum(-1).mean()
    vf = F.mse_loss(value, roll["ret"])
    return -surr.mean() + hp.vf_coef * vf - hp.ent_coef * entropy


def main():
    torch.manual_seed(17)
    hp = Hp()
    model = ActorCritic(hp)
    opt = torch.optim.Adam(model.parameters(), lr=hp.lr)
    skipped = 0
    for it in range(hp.rollouts):
        roll = collect(model, hp)
        for _ in range(hp.ppo_epochs):
            opt.zero_grad()
            try:
                loss = ppo_loss(model, roll, hp)
                loss.backward()
            except RuntimeError as err:
                skipped += 1
                if skipped == 1:
                    log.info("skipping update: %s", str(err).splitlines()[0][:70])
                continue
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
        if it % 16 == 0:
            log.info("rollout %d reward %.3f skipped %d", it, roll["reward"].mean().item(), skipped)


if __name__ == "__main__":
    main()
