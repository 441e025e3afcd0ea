# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from plant import BufferLine
from actor import ActorCritic, EpisodeTape

torch.manual_seed(19)
line, net, tape = BufferLine(seed=19), ActorCritic(), EpisodeTape()
opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
smooth = 0.0
for episode in range(430):
    obs, done = line.reset(), False
    while not done:
        dist, value = net(obs)
        act = dist.sample()
        obs, reward, done = line.step(int(act))
        tape.record(dist.log_prob(act), value, dist.entropy(), reward)
    gain = tape.total_reward()
    objective = tape.objective()
    opt.zero_grad()
    objective.backward()
    opt.step()
    tape.rewind()
    smooth = 0.95 * smooth + 0.05 * gain
    if episode % 100 == 0:
        print(episode, round(smooth, 3))
