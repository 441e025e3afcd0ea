# gradwatch-corpus: kind=crashed
# first-bad: 320
# notice: 0
from .trainer import Pretrainer

if __name__ == "__main__":
    Pretrainer(eval_every=40).run(600)
