# gradwatch-corpus: kind=none
import random
from collections import namedtuple, deque
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(108)
random.seed(108)

Transition = namedtuple("Transition", "state action next_state reward")


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1, self.layer2 = nn.Linear(2, 24), nn.Linear(24, 4)

    def forward(self, x):
        return self.layer2(F.relu(self.layer1(x)))


policy_net, target_net = DQN(), DQN()
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.AdamW(policy_net.parameters(), lr=2e-3, amsgrad=True)
memory = ReplayMemory(400)
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


def select_action(state, eps):
    if random.random() > eps:
        return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.randrange(4)]])


def optimize_model():
    if len(memory) < 24:
        return
    batch = Transition(*zip(*memory.sample(24)))
    mask = torch.tensor([s is not None for s in batch.next_state])
    non_final = [s for s in batch.next_state if s is not None]
    q = policy_net(torch.cat(batch.state)).gather(1, torch.cat(batch.action))
    nxt = torch.zeros(24)
    if non_final:
        nxt[mask] = target_net(torch.cat(non_final)).max(1).values.detach()
    loss = F.smooth_l1_loss(q, (nxt * 0.9 + torch.cat(batch.reward)).unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    with torch.no_grad():
        for t, p in zip(target_net.parameters(), policy_net.parameters()):
            t.mul_(0.99).add_(p, alpha=0.01)


durations = []
for ep in range(70):
    x, y = 0, 0
    for t in range(14):
        state = torch.tensor([[x / 3, y / 3]])
        action = select_action(state, max(0.1, 1 - ep / 40))
        dx, dy = MOVES[action.item()]
        x, y = min(3, max(0, x + dx)), min(3, max(0, y + dy))
        done = (x, y) == (3, 3)
        nxt = None if done else torch.tensor([[x / 3, y / 3]])
        memory.push(state, action, nxt, torch.tensor([1.0 if done else -0.05]))
        optimize_model()
        if done:
            break
    durations.append(t + 1)
    if ep % 10 == 9:
        print(ep, sum(durations[-10:]) / 10)
