# gradwatch-corpus: kind=none
import random

import torch
import torch.nn.functional as F

from envs import Chain
from replay import ReplayBuffer, QNet

torch.set_num_threads(1)
torch.manual_seed(36)
random.seed(36)

GAMMA, BATCH, SYNC = 0.95, 32, 25
env = Chain(8)
online, target = QNet(8, 2), QNet(8, 2)
target.load_state_dict(online.state_dict())
optimizer = torch.optim.Adam(online.parameters(), lr=3e-3)
buffer = ReplayBuffer(500)
q_trace, losses, returns = [], [], []

state, ep_ret = env.reset(), 0.0
for frame in range(300):
    eps = 0.05 + 0.95 * max(0.0, 1 - frame / 200)
    q = online(state)
    action = random.randrange(2) if random.random() < eps else int(q.argmax())
    q_trace.append(q.max().item())
    nxt, reward, done = env.step(action)
    buffer.push(state, action, reward, nxt, done)
    ep_ret += reward
    state = nxt
    if done:
        returns.append(ep_ret)
        state, ep_ret = env.reset(), 0.0
    if len(buffer) < 2 * BATCH or frame % 2:
        continue
    s, a, r, s2, d = buffer.sample(BATCH)
    q_sa = online(s).gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        best = online(s2).argmax(1, keepdim=True)
        y = r + GAMMA * (1 - d) * target(s2).gather(1, best).squeeze(1)
    loss = F.smooth_l1_loss(q_sa, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    if len(losses) % SYNC == 0:
        target.load_state_dict(online.state_dict())
        print("updates", len(losses), "loss %.4f" % losses[-1], "q %.3f" % q_trace[-1])
print("episodes", len(returns))
