# gradwatch-corpus: kind=none
"""Double DQN on Catch (a falling ball, a paddle), with a ring-buffer replay and a target network."""
import argparse
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Transition:
    obs: torch.Tensor
    action: int
    reward: float
    next_obs: torch.Tensor
    done: bool
    q: torch.Tensor  # values at the time of acting, for the drift statistics


class Catch:
    def __init__(self, h=7, w=5):
        self.h, self.w = h, w

    def _obs(self):
        board = torch.zeros(self.h, self.w)
        board[self.y, self.x] = 1.0
        board[-1, self.paddle] = 1.0
        return board.flatten()

    def reset(self):
        self.x, self.y, self.paddle = random.randrange(self.w), 0, self.w // 2
        return self._obs()

    def step(self, action):
        self.paddle = min(max(self.paddle + action - 1, 0), self.w - 1)
        self.y += 1
        done = self.y == self.h - 1
        reward = (1.0 if self.x == self.paddle else -1.0) if done else 0.0
        return self._obs(), reward, done


class ReplayMemory:
    def __init__(self, capacity):
        self.capacity, self.memory, self.position = capacity, [], 0

    def push(self, item):
        if len(self.memory) < self.capacity:
            self.memory.append(None)
        self.memory[self.position] = item
        self.position = (self.position + 1) % self.capacity

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


def q_network(obs, actions):
    return nn.Sequential(nn.Linear(obs, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, actions))


class Agent:
    def __init__(self, obs, actions, args):
        self.online, self.target = q_network(obs, actions), q_network(obs, actions)
        self.target.load_state_dict(self.online.state_dict())
        self.opt = torch.optim.Adam(self.online.parameters(), lr=args.lr)
        self.args, self.actions = args, actions

    @torch.no_grad()
    def act(self, obs, eps):
        q = self.online(obs)
        return (random.randrange(self.actions) if random.random() < eps else q.argmax().item()), q

    def learn(self, batch):
        obs = torch.stack([t.obs for t in batch])
        nxt = torch.stack([t.next_obs for t in batch])
        action = torch.tensor([t.action for t in batch]).unsqueeze(1)
        reward = torch.tensor([t.reward for t in batch])
        alive = 1 - torch.tensor([t.done for t in batch]).float()
        q = self.online(obs)
        with torch.no_grad():
            best = self.online(nxt).argmax(1, keepdim=True)
            target = reward + self.args.gamma * alive * self.target(nxt).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(q.gather(1, action).squeeze(1), target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        drift = (q.detach() - torch.stack([t.q for t in batch])).abs().mean()
        return loss.item(), drift.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=300)
    ap.add_argument("--env-steps", type=int, default=6)
    ap.add_argument("--capacity", type=int, default=400)
    ap.add_argument("--gamma", type=float, default=0.95)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    random.seed(12)
    torch.manual_seed(12)

    env, memory = Catch(), ReplayMemory(args.capacity)
    agent = Agent(env.h * env.w, 3, args)
    obs, wins = env.reset(), []
    for update in range(args.updates):
        eps = max(0.05, 1 - update / 150)
        for _ in range(args.env_steps):
            action, q = agent.act(obs, eps)
            nxt, reward, done = env.step(action)
            memory.push(Transition(obs, action, reward, nxt, done, q))
            obs = env.reset() if done else nxt
            if done:
                wins.append(reward > 0)
        if len(memory) >= 6:
            loss, drift = agent.learn(memory.sample(min(32, len(memory))))
        if update % 15 == 0:
            agent.target.load_state_dict(agent.online.state_dict())
        if update % 50 == 49:
            print(f"{update + 1}: loss {loss:.4f} drift {drift:.3f} caught {sum(wins[-50:]) / len(wins[-50:]):.2f}")


if __name__ == "__main__":
    main()
