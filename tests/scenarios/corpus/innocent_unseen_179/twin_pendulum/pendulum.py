import torch


class Pendulum:
    width = 3

    def __init__(self, count):
        self.count = count

    def observe(self):
        return torch.stack([self.angle.cos(), self.angle.sin(), self.speed], dim=1)

    def reset(self):
        self.angle = torch.rand(self.count) * 6.28
        self.speed = torch.zeros(self.count)
        return self.observe()

    def step(self, action):
        torque = 2 * action.squeeze(1)
        self.speed = (self.speed + 0.05 * (9 * self.angle.sin() + 3 * torque)).clamp(-6, 6)
        self.angle = self.angle + 0.05 * self.speed
        reward = self.angle.cos() - 0.01 * self.speed ** 2 - 0.01 * torque ** 2
        return self.observe(), reward


class Replay:
    def __init__(self, capacity):
        self.capacity = capacity
        self.rows = []
        self.at = 0

    def extend(self, obs, action, reward, nxt):
        for row in zip(obs, action, reward, nxt):
            if len(self.rows) < self.capacity:
                self.rows.append(row)
            else:
                self.rows[self.at] = row
                self.at = (self.at + 1) % self.capacity

    def sample(self, n):
        picked = torch.randint(0, len(self.rows), (n,)).tolist()
        return [torch.stack(column) for column in zip(*(self.rows[i] for i in picked))]
