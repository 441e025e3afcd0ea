"""`python -m gradwatch`."""

from gradwatch.cli import main

if __name__ == "__main__":
    main()
