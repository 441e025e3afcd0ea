# gradwatch-corpus: kind=none
import threading

import torch
import torch.nn as nn
import torch.nn.functional as F


class Picker:
    """One-dimensional aisle; an operator's stop button can end the shift early."""

    def __init__(self, stop, seed):
        self.stop = stop
        self.gen = torch.Generator().manual_seed(seed)

    def reset(self):
        self.pos, self.goal = torch.randint(-4, 5, (2,), generator=self.gen).tolist()
        self.left = 30
        return self.obs()

    def obs(self):
        return torch.tensor([[self.pos / 5, self.goal / 5, self.left / 30]])

    def step(self, a):
        self.pos = max(-5, min(5, self.pos + a - 1))
        self.left -= 1
        if torch.rand((), generator=self.gen) < 0.02:
            self.stop.set()
        reached = self.pos == self.goal
        done = reached or self.left == 0 or self.stop.is_set()
        return self.obs(), (1.0 if reached else -0.05), done


class RecurrentAC(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.cell = nn.GRUCell(3, width)
        self.pi, self.v = nn.Linear(width, 3), nn.Linear(width, 1)


def shift(env, model):
    obs, h, done = env.reset(), None, False
    while not done:
        h = model.cell(obs, h)
        dist = torch.distributions.Categorical(logits=model.pi(h))
        a = dist.sample()
        obs, reward, done = env.step(a.item())
        yield dist.log_prob(a), model.v(h).squeeze(), dist.entropy(), reward


def main(transitions=6500, gamma=0.97):
    torch.manual_seed(170)
    stop = threading.Event()
    env, model = Picker(stop, 171), RecurrentAC()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    log_probs, values, entropies, rewards = [], [], [], []
    seen = episodes = 0
    avg = 0.0
    while seen < transitions:
        for lp, v, ent, r in shift(env, model):
            log_probs.append(lp)
            values.append(v)
            entropies.append(ent)
            rewards.append(r)
            seen += 1
        stop.clear()
        returns, g = [], 0.0
        for r in reversed(rewards):
            g = r + gamma * g
            returns.insert(0, g)
        ret, val = torch.tensor(returns), torch.stack(values)
        adv = ret - val.detach()
        loss = -(torch.stack(log_probs) * adv).sum() + F.smooth_l1_loss(val, ret) \
            - 0.01 * torch.stack(entropies).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg = 0.95 * avg + 0.05 * sum(rewards)
        for buf in (log_probs, values, entropies, rewards):
            buf.clear()
        episodes += 1
        if episodes % 60 == 0:
            print(f"episode {episodes} seen {seen} reward {avg:+.3f}")


if __name__ == "__main__":
    main()
