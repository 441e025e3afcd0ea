# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.distributions import Categorical


class CorridorRooms:
    """Vectorised corridor: collect the key, then reach the door."""

    def __init__(self, copies, length, seed):
        self.copies = copies
        self.length = length
        self.gen = torch.Generator().manual_seed(seed)
        self.where = torch.zeros(copies, dtype=torch.long)
        self.key_at = torch.randint(1, length - 1, (copies,), generator=self.gen)
        self.has_key = torch.zeros(copies, dtype=torch.bool)

    def view(self):
        where = self.where / self.length
        key = self.key_at / self.length
        return torch.stack([where, key, self.has_key.float()], dim=1)

    def step(self, action):
        move = action * 2 - 1
        self.where = (self.where + move).clamp(0, self.length - 1)
        fresh = (self.where == self.key_at) & ~self.has_key
        self.has_key = self.has_key | fresh
        done = (self.where == self.length - 1) & self.has_key
        reward = 0.3 * fresh.float() + done.float() - 0.01
        redraw = torch.randint(1, self.length - 1, (self.copies,), generator=self.gen)
        self.where = torch.where(done, torch.zeros_like(self.where), self.where)
        self.key_at = torch.where(done, redraw, self.key_at)
        self.has_key = self.has_key & ~done
        return reward, done


class Segment:
    """What was seen since the last update."""

    fields = ("log_prob", "value", "entropy", "reward", "alive")

    def __init__(self):
        self.clear()

    def clear(self):
        self.data = {name: [] for name in self.fields}

    def add(self, **row):
        for name, value in row.items():
            self.data[name].append(value)

    def stacked(self, name):
        return torch.stack(self.data[name])

    def returns(self, bootstrap, gamma):
        result = []
        ahead = bootstrap
        for reward, alive in zip(reversed(self.data["reward"]), reversed(self.data["alive"])):
            ahead = reward + gamma * alive * ahead
            result.append(ahead)
        result.reverse()
        return torch.stack(result)


class Player(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 48), nn.Tanh())
        self.policy = nn.Linear(48, 2)
        self.value = nn.Linear(48, 1)

    def forward(self, view):
        h = self.body(view)
        return Categorical(logits=self.policy(h)), self.value(h).squeeze(1)


class A2C:
    def __init__(self, rooms, player, horizon=6, gamma=0.95):
        self.rooms = rooms
        self.player = player
        self.horizon = horizon
        self.gamma = gamma
        self.segment = Segment()
        self.optimizer = torch.optim.RMSprop(player.parameters(), lr=2e-3)
        self.reward_trace = 0.0

    def play(self):
        for _ in range(self.horizon):
            dist, value = self.player(self.rooms.view())
            action = dist.sample()
            reward, done = self.rooms.step(action)
            self.segment.add(
                log_prob=dist.log_prob(action),
                value=value,
                entropy=dist.entropy(),
                reward=reward,
                alive=1.0 - done.float(),
            )
            self.reward_trace = 0.99 * self.reward_trace + 0.01 * reward.mean().item()

    def update(self):
        with torch.no_grad():
            _, bootstrap = self.player(self.rooms.view())
        returns = self.segment.returns(bootstrap, self.gamma)
        values = self.segment.stacked("value")
        advantage = returns - values
        policy_loss = -(self.segment.stacked("log_prob") * advantage.detach()).mean()
        value_loss = advantage.pow(2).mean()
        loss = policy_loss + 0.5 * value_loss - 0.01 * self.segment.stacked("entropy").mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.segment.clear()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(43)
    learner = A2C(CorridorRooms(copies=16, length=9, seed=43), Player())
    for number in range(120):
        learner.play()
        loss = learner.update()
        if number % 40 == 0:
            print(f"update {number} loss {loss:.4f} reward {learner.reward_trace:.4f}")
