# gradwatch-corpus: kind=second-backward
# holder: old_log_probs | batch["log_probs"] | rollout["log_probs"] | batch | rollout
# first-bad: 1
# about: PPO's old log-probabilities keep the graph of the rollout; the second epoch walks it again
import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self, n_obs=3, n_act=1):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_act))
        self.log_std = nn.Parameter(torch.zeros(n_act))

    def forward(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())


def collect(policy, n=64):
    obs = torch.randn(n, 3)
    dist = policy(obs)
    actions = dist.sample()
    rewards = -(actions.squeeze(1) - obs.sum(1)).abs()
    log_probs = dist.log_prob(actions).sum(1)  # <- culprit
    return {
        "obs": obs,
        "actions": actions,
        "log_probs": log_probs,
        "rewards": rewards,
    }  # <- culprit


def ppo_update(policy, optimizer, batch, epochs=4, clip=0.2):
    advantages = batch["rewards"] - batch["rewards"].mean()
    for _ in range(epochs):
        new_log_probs = policy(batch["obs"]).log_prob(batch["actions"]).sum(1)
        ratio = (new_log_probs - batch["log_probs"]).exp()  # <- culprit
        surrogate = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
        optimizer.zero_grad()
        (-surrogate.mean()).backward()
        optimizer.step()


def main():
    torch.manual_seed(0)
    policy = GaussianPolicy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for _ in range(15):
        ppo_update(policy, optimizer, collect(policy))


if __name__ == "__main__":
    main()
