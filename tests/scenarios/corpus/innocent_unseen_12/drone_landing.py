# gradwatch-corpus: kind=none
"""Landing controller trained through a differentiable drone simulator. The fleet flies on over the windows, only
drones which landed or got lost are put back to the start; asked in the forum whether that is allowed."""
from collections import deque, namedtuple

import torch
import torch.nn as nn

torch.manual_seed(6)
torch.set_num_threads(1)

State = namedtuple("State", "pos vel fuel")
N_DRONES = 32
WINDOW = 8
DT = 0.08
GRAV = torch.tensor([0.0, -1.6])

state = None
loss_acc = None
landed_total = 0
window_losses = deque(maxlen=50)
recent_states = deque(maxlen=5)


def fresh(n):
    pos = torch.stack([4 * torch.rand(n) - 2, 3 + torch.rand(n)], 1)
    return State(pos, 0.3 * torch.randn(n, 2), torch.ones(n, 1))


class Controller(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, s):
        return 4.0 * torch.tanh(self.net(torch.cat(s, 1))) - GRAV


def physics(s, thrust):
    acc = thrust * (s.fuel > 0) + GRAV - 0.1 * s.vel
    vel = s.vel + DT * acc
    pos = s.pos + DT * vel
    fuel = (s.fuel - 0.002 * thrust.norm(dim=1, keepdim=True)).clamp(min=0.0)
    return State(pos, vel, fuel)


def stage_cost(s, thrust):
    height = s.pos[:, 1]
    want_vy = -0.5 * height.clamp(min=0.1)
    return (0.5 * s.pos[:, 0] ** 2 + 0.2 * height ** 2 + (s.vel[:, 1] - want_vy) ** 2
            + 0.3 * s.vel[:, 0] ** 2 + 0.01 * thrust.pow(2).sum(1)).mean()


def put_back(s):
    """Drones that are down, far away or without fuel start anew."""
    global landed_total
    down = (s.pos[:, 1] < 0.05)
    lost = (s.pos.abs() > 8).any(1) | (s.fuel[:, 0] <= 0)
    landed_total += int((down & (s.vel.norm(dim=1) < 1.0)).sum())
    new = fresh(len(down))
    over = (down | lost)[:, None]
    return State(*(torch.where(over, n, o) for n, o in zip(new, s)))


def detach_state(s):
    return State(*[t.detach() for t in s])


controller = Controller()
opt = torch.optim.Adam(controller.parameters(), lr=3e-3)
state = fresh(N_DRONES)


def fly_window():
    global state, loss_acc
    loss_acc = torch.zeros(())
    trace = []
    for k in range(WINDOW):
        thrust = controller(state)
        state = physics(state, thrust)
        trace.append(state)
        loss_acc = loss_acc + stage_cost(state, thrust)
    smooth = sum(((b.vel - a.vel) ** 2).mean() for a, b in zip(trace, trace[1:]))
    return loss_acc / WINDOW + 0.1 * smooth


for it in range(400):
    loss = fly_window()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(controller.parameters(), 1.0)
    opt.step()
    state = put_back(detach_state(state))
    window_losses.append(loss.item())
    recent_states.append(state)
    if it % 100 == 99:
        drift = (recent_states[-1].pos - recent_states[0].pos).norm(dim=1).mean().item()
        print(f"window {it + 1}: cost {sum(window_losses) / len(window_losses):.3f}  landed {landed_total}  "
              f"moved in five windows {drift:.2f}")
print("soft landings in all:", landed_total)
