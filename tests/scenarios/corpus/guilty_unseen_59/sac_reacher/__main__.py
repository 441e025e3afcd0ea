# gradwatch-corpus: kind=second-backward
# holder: log_prob | logp
# first-bad: 9
# notice: 2
from .run import main

main()
