import torch
from torch import Tensor, nn


class BeliefPolicy(nn.Module):
    def __init__(self, obs: int, act: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.update = nn.Linear(obs + hidden, hidden)
        self.gate = nn.Linear(obs + hidden, hidden)
        self.out = nn.Linear(hidden, act)

    def initial(self, n: int) -> Tensor:
        return torch.zeros(n, self.hidden)

    def forward(self, obs: Tensor, belief: Tensor) -> tuple[Tensor, Tensor]:
        joint = torch.cat([obs, belief], dim=-1)
        g = torch.sigmoid(self.gate(joint))
        belief = g * belief + (1 - g) * torch.tanh(self.update(joint))
        return self.out(belief), belief
