# gradwatch-corpus: kind=graph-held
# holder: self.memory | self.replay.memory | replay.memory
# also: graph-unused
# first-bad: 1
from .learner import Learner

if __name__ == "__main__":
    Learner(seed=81).run(iterations=500)
