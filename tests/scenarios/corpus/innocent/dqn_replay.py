# gradwatch-corpus: kind=none
# about: DQN: the replay buffer fills for a while and then stays full; Q-values are computed with
# about: a graph when acting (no no_grad) but only the action's number is kept
import random

import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS


class Memory:
    def __init__(self, capacity):
        self.capacity, self.items, self.at = capacity, [], 0

    def push(self, item):
        if len(self.items) < self.capacity:
            self.items.append(None)
        self.items[self.at] = item
        self.at = (self.at + 1) % self.capacity

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(self.items, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d)


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, x):
        return self.layers(x)


def choose(net, state, epsilon):
    q = net(state)
    return random.randrange(2) if random.random() < epsilon else q.argmax().item()


def optimize(policy, target, optimizer, memory):
    s, a, r, s2, d = memory.sample(32)
    q = policy(s).gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = target(s2).max(1).values
    loss = nn.functional.smooth_l1_loss(q, r + 0.99 * best * (1 - d))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(policy.parameters(), 100)
    optimizer.step()
    return loss.item()


def main():
    random.seed(0)
    torch.manual_seed(0)
    env, memory = CartPole(seed=6), Memory(500)
    policy, target = DQN(), DQN()
    target.load_state_dict(policy.state_dict())
    optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-3, amsgrad=True)
    state = torch.tensor(env.reset())
    for step in range(3 * ITERATIONS):
        action = choose(policy, state, max(0.05, 1 - step / 600))
        after, reward, fell, over = env.step(action)
        after = torch.tensor(after)
        memory.push((state, action, reward, after, float(fell)))
        state = torch.tensor(env.reset()) if fell or over else after
        if len(memory.items) >= 64:
            loss = optimize(policy, target, optimizer, memory)
            if step % 100 == 0:
                print(f"{step}: loss {loss:.6f}, memory {len(memory.items)}")
        if step % 200 == 0:
            target.load_state_dict(policy.state_dict())


if __name__ == "__main__":
    main()
