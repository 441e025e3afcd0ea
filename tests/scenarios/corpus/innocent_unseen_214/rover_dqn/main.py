# gradwatch-corpus: kind=none
import random

import torch
import torch.nn.functional as F

from memory import Memory
from nets import Dueling, frozen_copy, polyak

MOVES = torch.tensor([[0.0, 0.0], [0.1, 0.0], [-0.1, 0.0], [0.0, 0.1], [0.0, -0.1]])


class Rover:
    def reset(self):
        self.pos = torch.rand(2) * 2 - 1
        self.goal = torch.rand(2) * 2 - 1
        self.t = 0
        return torch.cat([self.pos, self.goal])

    def step(self, a):
        before = (self.pos - self.goal).norm()
        self.pos = (self.pos + MOVES[a]).clamp(-1, 1)
        after = (self.pos - self.goal).norm()
        self.t += 1
        done = bool(after < 0.1) or self.t >= 40
        return torch.cat([self.pos, self.goal]), (before - after) * 10, done


def learn(net, target, opt, batch, gamma=0.95):
    with torch.no_grad():
        best = net(batch.nxt).argmax(-1, keepdim=True)
        y = batch.rew + gamma * (1 - batch.done) * target(batch.nxt).gather(1, best).squeeze(1)
    q = net(batch.obs).gather(1, batch.act[:, None]).squeeze(1)
    loss = F.huber_loss(q, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    drift = (q.detach() - batch.q_seen).abs().mean()
    return loss.item(), drift.item()


def main():
    random.seed(12)
    torch.manual_seed(12)
    net = Dueling()
    target = frozen_copy(net)
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    mem, env = Memory(300), Rover()
    obs, eps = env.reset(), 1.0
    for it in range(150):
        for _ in range(5):
            with torch.no_grad():
                q = net(obs)
            a = random.randrange(5) if random.random() < eps else int(q.argmax())
            nxt, r, done = env.step(a)
            mem.add(obs, torch.tensor(a), r, nxt, torch.tensor(float(done)), q[a].clone())
            obs = env.reset() if done else nxt
        eps = max(0.1, eps * 0.98)
        if len(mem) < 64:
            continue
        loss, drift = learn(net, target, opt, mem.sample(32))
        polyak(target, net, 0.02)
        if it % 30 == 29:
            print(f"it {it + 1} eps {eps:.2f} loss {loss:.4f} drift {drift:.3f} mem {len(mem)}")


if __name__ == "__main__":
    main()
