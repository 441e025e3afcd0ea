# gradwatch-corpus: kind=none
"""REINFORCE on a corridor: log probabilities pile up on the policy for a whole round of episodes, then one backward."""
import torch
import torch.nn as nn


class Corridor:
    def __init__(self, gen, length=9):
        self.gen = gen
        self.length = length

    def reset(self):
        self.at = int(torch.randint(2, self.length - 2, (1,), generator=self.gen))
        self.goal = 0 if torch.rand(1, generator=self.gen) < 0.5 else self.length - 1
        self.t = 0
        return self.see()

    def see(self):
        x = torch.zeros(self.length + 1)
        x[self.at] = 1
        x[-1] = 1.0 if self.goal else -1.0
        return x

    def move(self, action):
        self.at = max(0, min(self.length - 1, self.at + (1 if action else -1)))
        self.t += 1
        won = self.at == self.goal
        return self.see(), (1.0 if won else -0.02), won or self.t >= 20


class Policy(nn.Module):
    def __init__(self, n=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 24), nn.Tanh(), nn.Linear(24, 2))
        self.clear()

    def clear(self):
        self.saved_log_probs = []
        self.entropies = []

    def act(self, obs):
        dist = torch.distributions.Categorical(logits=self.net(obs))
        action = dist.sample()
        self.saved_log_probs.append(dist.log_prob(action))
        self.entropies.append(dist.entropy())
        return int(action)


class Baseline:
    def __init__(self):
        self.value = 0.0

    def __call__(self, returns):
        self.value = 0.95 * self.value + 0.05 * returns.mean().item()
        return returns - self.value


def discounted(rewards, gamma=0.95):
    out, run = [], 0.0
    for r in reversed(rewards):
        run = r + gamma * run
        out.append(run)
    return out[::-1]


def round_of_episodes(policy, env, n):
    returns, wins = [], 0
    for _ in range(n):
        obs, done, rewards = env.reset(), False, []
        while not done:
            obs, reward, done = env.move(policy.act(obs))
            rewards.append(reward)
        wins += rewards[-1] > 0
        returns += discounted(rewards)
    return torch.tensor(returns), wins / n


def main():
    torch.manual_seed(110)
    torch.set_num_threads(1)
    env = Corridor(torch.Generator().manual_seed(111))
    policy = Policy()
    baseline = Baseline()
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for it in range(110):
        returns, wins = round_of_episodes(policy, env, 4 + it % 3)
        log_probs = torch.stack(policy.saved_log_probs)
        bonus = torch.stack(policy.entropies).mean()
        loss = -(log_probs * baseline(returns)).mean() - 0.01 * bonus
        opt.zero_grad()
        loss.backward()
        opt.step()
        policy.clear()
        if it % 20 == 0:
            print(f"{it:3d} loss {loss.item():.4f} wins {wins:.2f}")


if __name__ == "__main__":
    main()
