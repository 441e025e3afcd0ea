# gradwatch-corpus: kind=none
"""Policy gradient for one elevator. Several episodes are collected for one update."""
import torch
import torch.nn as nn

FLOORS = 6
T_MAX = 12
EPISODES = 160
PER_UPDATE = 4

saved_log_probs = []
saved_returns = []
saved_entropies = []


class Elevator:
    def reset(self):
        self.floor = 0
        self.calls = torch.zeros(FLOORS)
        self.calls[torch.randint(1, FLOORS, (2,))] = 1.0
        return self.observe()

    def observe(self):
        here = torch.zeros(FLOORS)
        here[self.floor] = 1.0
        return torch.cat([here, self.calls])

    def step(self, action):
        move = action - 1
        self.floor = max(0, min(FLOORS - 1, self.floor + move))
        reward = -0.1 * self.calls.sum().item()
        if move == 0 and self.calls[self.floor] > 0:
            self.calls[self.floor] = 0.0
            reward += 1.0
        if torch.rand(1) < 0.1:
            self.calls[torch.randint(0, FLOORS, (1,))] = 1.0
        return self.observe(), reward


def run_episode(env, policy, gamma=0.9):
    obs = env.reset()
    rewards = []
    for _ in range(T_MAX):
        dist = torch.distributions.Categorical(logits=policy(obs))
        a = dist.sample()
        saved_log_probs.append(dist.log_prob(a))
        saved_entropies.append(dist.entropy())
        obs, r = env.step(int(a))
        rewards.append(r)
    ret = 0.0
    returns = []
    for r in reversed(rewards):
        ret = r + gamma * ret
        returns.append(ret)
    saved_returns.extend(reversed(returns))
    return sum(rewards)


def update(optimizer):
    returns = torch.tensor(saved_returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    log_probs = torch.stack(saved_log_probs)
    entropy = torch.stack(saved_entropies).mean()
    loss = -(log_probs * returns).mean() - 0.01 * entropy
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    saved_log_probs.clear()
    saved_entropies.clear()
    saved_returns.clear()
    return loss.item()


def main():
    torch.manual_seed(31)
    env = Elevator()
    policy = nn.Sequential(nn.Linear(2 * FLOORS, 32), nn.ReLU(), nn.Linear(32, 3))
    optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
    scores = []
    for ep in range(1, EPISODES + 1):
        scores.append(run_episode(env, policy))
        if ep % PER_UPDATE == 0:
            update(optimizer)
        if ep % 40 == 0:
            print("episode", ep, "score", sum(scores[-40:]) / 40)


if __name__ == "__main__":
    main()
