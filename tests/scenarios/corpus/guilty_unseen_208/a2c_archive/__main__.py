# gradwatch-corpus: kind=graph-held
# holder: self._segments | archive._segments | archive
# first-bad: 1
"""python -m a2c_archive"""
import torch

from .agent import ActorCritic, SegmentArchive, Step
from .env import Docking

N_ENVS, HORIZON, UPDATES = 16, 5, 450
GAMMA, ENT_COEF, VF_COEF = 0.97, 0.01, 0.5


def collect(env, net, obs):
    segment = []
    for _ in range(HORIZON):
        dist, value = net(obs)
        action = dist.sample()
        obs, reward, done = env.step(action)
        segment.append(Step(dist.log_prob(action), value, dist.entropy(), reward, done.float()))
    return segment, obs


def a2c_loss(segment, bootstrap):
    ret = bootstrap
    policy, critic, entropy = 0.0, 0.0, 0.0
    for t in reversed(segment):
        ret = t.reward + GAMMA * (1 - t.done) * ret
        adv = ret - t.value
        policy = policy - (t.logp * adv.detach()).mean()
        critic = critic + adv.pow(2).mean()
        entropy = entropy + t.entropy.mean()
    return (policy + VF_COEF * critic - ENT_COEF * entropy) / len(segment)


def main():
    torch.manual_seed(11)
    env = Docking(N_ENVS, seed=11)
    net = ActorCritic()
    optim = torch.optim.RMSprop(net.parameters(), lr=7e-4, eps=1e-5)
    archive = SegmentArchive()
    obs = env.observe()
    for update in range(UPDATES):
        segment, obs = collect(env, net, obs)
        with torch.no_grad():
            _, bootstrap = net(obs)
        loss = a2c_loss(segment, bootstrap)
        optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optim.step()
        archive.add(segment)
        if update % 150 == 0:
            print(f"update {update} loss {loss.item():+.3f}")
    print("best segments", [round(r, 3) for r in archive.best()], "of", len(archive))


if __name__ == "__main__":
    main()
