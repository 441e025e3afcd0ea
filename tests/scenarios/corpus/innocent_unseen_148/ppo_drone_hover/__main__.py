# gradwatch-corpus: kind=none
import torch

from .agent import ActorCritic
from .buffer import RolloutBuffer
from .hover import HoverEnv
from .learner import Learner

torch.set_num_threads(1)


def main():
    torch.manual_seed(80)
    env, net = HoverEnv(8), ActorCritic(4, 2)
    buf, learner = RolloutBuffer(), Learner(net)
    obs = env.reset()
    for it in range(10):
        for _ in range(16):
            act, logp, value = net.act(obs)
            nxt, rew, done = env.step(act)
            buf.add(obs=obs, act=act, logp=logp, value=value, rew=rew, done=done)
            obs = nxt
        stats = learner.update(buf, net.value(obs))
        buf.clear()
        print(f"{it}: " + " ".join(f"{k}={v:.4f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()
