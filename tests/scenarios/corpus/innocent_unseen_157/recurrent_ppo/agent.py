import torch
from torch import nn
from torch.distributions import Categorical


class RecurrentActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden=20):
        super().__init__()
        self.hidden = hidden
        self.enter = nn.Linear(obs_dim, hidden)
        self.core = nn.GRU(hidden, hidden, batch_first=True)
        self.pi = nn.Linear(hidden, n_actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs, state, done=None):
        x = torch.relu(self.enter(obs))
        outputs = []
        for t in range(x.shape[1]):
            out, state = self.core(x[:, t:t + 1], state)
            outputs.append(out)
            if done is not None:
                state = state * (1 - done[:, t]).view(1, -1, 1)
        h = torch.cat(outputs, dim=1)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), state
