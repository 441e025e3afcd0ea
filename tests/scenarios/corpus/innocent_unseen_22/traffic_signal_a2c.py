# gradwatch-corpus: kind=none
"""Course notes, chapter 7: advantage actor-critic for one crossing. The agent remembers, so its memory is carried
from segment to segment and gradients flow within a segment only."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

LANES = 4
SEGMENT = 6          # seconds of experience for each update


class Agent(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.memory = nn.GRUCell(LANES, hidden)
        self.policy = nn.Linear(hidden, 2)
        self.value = nn.Linear(hidden, 1)

    def forward(self, queues, h):
        h = self.memory(queues, h)
        return Categorical(logits=self.policy(h)), self.value(h).squeeze(-1), h


def new_world(n, gen):
    return {"queues": torch.rand(n, LANES, generator=gen), "gen": gen}


def drive(world, green):
    """green 0: lanes 0 and 1 may go, green 1: lanes 2 and 3. Returns the reward."""
    open_lanes = torch.zeros_like(world["queues"])
    open_lanes[:, :2] = (green == 0).float()[:, None]
    open_lanes[:, 2:] = (green == 1).float()[:, None]
    arrivals = 0.25 * torch.rand(world["queues"].shape, generator=world["gen"])
    world["queues"] = (world["queues"] - 0.5 * open_lanes).clamp(min=0) + arrivals
    world["queues"].clamp_(max=4.0)
    return -world["queues"].mean(dim=1)


def play_segment(agent, world, h):
    """Plays SEGMENT seconds and gives back what the update needs, the memory last."""
    log_probs, values, entropies, rewards = [], [], [], []
    for _ in range(SEGMENT):
        dist, value, h = agent(world["queues"], h)
        green = dist.sample()
        log_probs.append(dist.log_prob(green))
        values.append(value)
        entropies.append(dist.entropy())
        rewards.append(drive(world, green))
    return torch.stack(log_probs), torch.stack(values), torch.stack(entropies), torch.stack(rewards), h


def returns(rewards, bootstrap, gamma=0.95):
    out, running = [], bootstrap
    for reward in reversed(rewards.unbind()):
        running = reward + gamma * running
        out.append(running)
    return torch.stack(out[::-1])


def a2c_loss(log_probs, values, entropies, target):
    advantage = target - values
    return (-(log_probs * advantage.detach()).mean()
            + 0.5 * advantage.square().mean()
            - 0.01 * entropies.mean())


def train(updates=260, crossings=16):
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(21)
    agent = Agent()
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-3)
    world = new_world(crossings, gen)
    h = torch.zeros(crossings, 24)
    best, history = float("-inf"), []

    for update in range(1, updates + 1):
        log_probs, values, entropies, rewards, h = play_segment(agent, world, h)
        with torch.no_grad():
            _, bootstrap, _ = agent(world["queues"], h)
        loss = a2c_loss(log_probs, values, entropies, returns(rewards, bootstrap))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        optimizer.step()
        h = h.detach()

        history.append(rewards.mean().item())
        best = max(best, history[-1])
        if update % 65 == 0:
            print(f"update {update}: reward {sum(history[-65:]) / 65:.3f} (best segment {best:.3f})")


if __name__ == "__main__":
    train()
