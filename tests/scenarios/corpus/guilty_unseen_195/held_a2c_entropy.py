# gradwatch-corpus: kind=graph-held
# holder: self.entropies | rollout.entropies
# first-bad: 1
import torch
from torch import nn
from torch.distributions import Categorical


class CorridorEnv:
    """Vectorised corridor: walk right to the goal, small cost for each step."""

    def __init__(self, n, length=9, seed=0):
        self.n, self.length = n, length
        self.gen = torch.Generator().manual_seed(seed)
        self.pos = torch.zeros(n, dtype=torch.long)

    def obs(self):
        return nn.functional.one_hot(self.pos, self.length).float()

    def step(self, action):
        slip = torch.rand(self.n, generator=self.gen) < 0.1
        move = torch.where(slip, torch.zeros_like(action), action * 2 - 1)
        self.pos = (self.pos + move).clamp(0, self.length - 1)
        done = self.pos == self.length - 1
        reward = done.float() - 0.02
        self.pos = torch.where(done, torch.zeros_like(self.pos), self.pos)
        return self.obs(), reward, done.float()


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, n_act, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, n_act)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class RolloutStorage:
    def __init__(self):
        self.entropies = []
        self.reset()

    def reset(self):
        self.log_probs, self.values, self.rewards, self.masks = [], [], [], []

    def insert(self, dist, action, value):
        self.log_probs.append(dist.log_prob(action))
        self.values.append(value)
        self.entropies.append(dist.entropy().mean())  # <- culprit

    def feedback(self, reward, done):
        self.rewards.append(reward)
        self.masks.append(1 - done)

    def returns(self, bootstrap, gamma):
        out, running = [], bootstrap
        for r, m in zip(reversed(self.rewards), reversed(self.masks)):
            running = r + gamma * running * m
            out.append(running)
        return torch.stack(out[::-1])


def main(updates=450, n_steps=5, gamma=0.97, ent_coef=0.01):
    torch.manual_seed(1)
    env = CorridorEnv(8)
    net = ActorCritic(9, 2)
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    rollout = RolloutStorage()
    obs = env.obs()
    for update in range(updates):
        for _ in range(n_steps):
            dist, value = net(obs)
            action = dist.sample()
            rollout.insert(dist, action, value)
            obs, reward, done = env.step(action)
            rollout.feedback(reward, done)
        with torch.no_grad():
            _, bootstrap = net(obs)
        ret = rollout.returns(bootstrap, gamma)
        values = torch.stack(rollout.values)
        adv = ret - values
        policy_loss = -(torch.stack(rollout.log_probs) * adv.detach()).mean()
        entropy = torch.stack(rollout.entropies[-n_steps:]).mean()
        loss = policy_loss + 0.5 * adv.pow(2).mean() - ent_coef * entropy
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        if update % 90 == 0:
            print(update, f"loss {loss.item():.4f}", f"entropy {entropy.item():.3f}",
                  f"reward {torch.stack(rollout.rewards).mean().item():.3f}")
        rollout.reset()


if __name__ == "__main__":
    main()
