# gradwatch-corpus: kind=second-backward
# first-bad: 1
from .experiment import Experiment

if __name__ == "__main__":
    Experiment(steps=500).fit()
