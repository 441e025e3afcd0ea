# gradwatch-corpus: kind=none
from .config import RunConfig
from .runner import Runner

if __name__ == "__main__":
    Runner(RunConfig()).run()
