# gradwatch-corpus: kind=graph-held
# holder: self.priority | replay.priority | self.replay.priority | self.priority[i] | learner.replay.priority
# first-bad: 1
"""Two agents must meet on a small torus; value decomposition with prioritized replay.
Kept close to the pseudo-code in my thesis, chapter 4."""
import torch

from learner import Learner
from replay import Replay, Transition
from world import Meeting


def act(net, obs, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(5)
    with torch.no_grad():
        return int(net(obs).argmax())


def fill(world, learner, replay, n, epsilon, rng):
    for _ in range(n):
        obs = world.observe()
        actions = [act(net, o, epsilon, rng) for net, o in zip(learner.nets, obs)]
        reward, done = world.step(actions)
        replay.push(Transition(obs, actions, reward, world.observe(), done))
        if done:
            world.reset()


def main(iterations=260):
    import random

    torch.manual_seed(2)
    torch.set_num_threads(1)
    rng = random.Random(2)
    world = Meeting(size=5, limit=20, rng=rng)
    replay = Replay(capacity=6000, rng=rng)
    learner = Learner(replay, n_obs=4, n_actions=5)
    fill(world, learner, replay, 300, 1.0, rng)
    for it in range(iterations):
        epsilon = max(0.1, 1.0 - it / 150)
        fill(world, learner, replay, 6, epsilon, rng)
        loss = learner.update(batch=24)
        if it % 65 == 0:
            print(f"it {it:3d} loss {loss:.4f} meetings {world.meetings} stored {len(replay)}")
    print("meetings in all:", world.meetings)


if __name__ == "__main__":
    main()
