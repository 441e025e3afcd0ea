import torch
import torch.nn.functional as F

from optim import PlainSGD, StepDecay
from policy import BeliefPolicy


class CloneRunner:
    def __init__(self, policy: BeliefPolicy, optimizer: PlainSGD, schedule: StepDecay, envs: int) -> None:
        self.policy = policy
        self.optimizer = optimizer
        self.schedule = schedule
        self.envs = envs
        self.belief = policy.initial(envs)
        self.world = torch.randn(envs, 10)

    def observe(self) -> torch.Tensor:
        self.world = 0.9 * self.world + 0.3 * torch.randn_like(self.world)
        return self.world

    def expert(self, obs: torch.Tensor) -> torch.Tensor:
        return torch.stack([obs[:, 0] - obs[:, 1], obs[:, 2], obs[:, 3:5].sum(-1), obs[:, 6]], dim=-1).tanh()

    def tick(self) -> float:
        obs = self.observe()
        action, self.belief = self.policy(obs, self.belief)  # <- culprit
        error = F.mse_loss(action, self.expert(obs))
        self.optimizer.zero_grad()
        error.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        self.schedule.step()
        return float(error.detach())
