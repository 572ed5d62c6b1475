from notes.cli import main

main()
