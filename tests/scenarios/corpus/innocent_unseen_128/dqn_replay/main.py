# gradwatch-corpus: kind=none
import copy
import torch
torch.set_num_threads(1)
from memory import Replay
from chain_env import Chain

torch.manual_seed(6)
env, replay = Chain(8), Replay(500)
q = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
q_target = copy.deepcopy(q)
opt = torch.optim.RMSprop(q.parameters(), lr=1e-3)
s = env.reset()
for frame in range(1500):
    values = q(s)
    a = int(values.argmax()) if torch.rand(()) > 0.2 else int(torch.randint(0, 2, ()))
    s2, r, done = env.step(a)
    replay.push(s, a, r, s2, done, priority=values.max())
    s = env.reset() if done else s2
    if len(replay) < 32:
        continue
    bs, ba, br, bs2, bd = replay.sample(32)
    with torch.no_grad():
        best = q(bs2).argmax(1, keepdim=True)
        target = br + 0.95 * (1 - bd) * q_target(bs2).gather(1, best).squeeze(1)
    td = torch.nn.functional.smooth_l1_loss(q(bs).gather(1, ba[:, None]).squeeze(1), target)
    opt.zero_grad()
    td.backward()
    opt.step()
    if frame % 100 == 0:
        q_target.load_state_dict(q.state_dict())
print(q(torch.eye(8)).argmax(1))
