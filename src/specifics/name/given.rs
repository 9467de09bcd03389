//! First names: they are names wherever they stand, where a sentence begins as well.

use crate::specifics::words::Words;

/// First names of many languages, none of them a word of English or what programs are called often.
static GIVEN: Words = Words::new(
    "Aaron Abdul Abdullah Abebe Abel Abena Abhishek Abigail Adaeze Adam Adama Adaora Adel Adele Adelheid Adem Adetokunbo \
     Adrian Adriana Adunni Agata Agathe Agnes Agnieszka Ahmad Ahmed Aiden Aiko Aisha Aishwarya Ajay Akash Akiko Akinyi Akira \
     Akua Alain Alan Albert Alberto Alejandra Alejandro Aleksander Aleksandra Aleksei Alena Alessandra Alessandro Alessia \
     Alexander Alexandra Alexandre Alexei Alfonso Alfred Alfredo Ali Alice Alicia Alina Alison Allison Almut Alois Alvaro \
     Alyssa Amadou Amalia Amanda Amelia Amelie Amina Amir Amira Amit Anais Anand Anastasia Anders Andrea Andreas Andrei Andrew \
     Andrzej Andy Aneta Angela Angelika Angelo Anika Anil Anita Anja Anjali Anke Anna Annabel Annalena Anne Anneke Anneliese \
     Annemarie Annette Annika Anoushka Anthony Antoine Antoinette Anton Antonia Antonio Anya Anyango Aoife Apinya Arash \
     Arianna Arjun Arlette Armando Arnaud Arne Arnold Arthur Arturo Arun Aryan Ashley Ashok Asif Astrid Audrey Aurélie Axel \
     Ayaan Ayako Ayesha Aylin Ayumi Ayşe Azadeh Aziz Babak Babette Barbara Barnabas Barry Bartosz Bastian Beata Beate Beatrice \
     Beatriz Behrouz Benedikt Benjamin Benno Bernadette Bernard Bernd Bernhard Bertram Beth Betty Beyza Bhavna Bianca Birgit \
     Birgitta Bjarne Bjorn Björn Bob Bogdan Boris Bożena Brandon Branko Brenda Brendan Brian Bridget Brigitte Britta Bruno \
     Burak Caitlin Caleb Callum Camila Camilla Camille Carina Carl Carla Carlo Carlos Carlota Carmen Carol Carolin Carolina \
     Caroline Caspar Catarina Caterina Catherine Cathy Catriona Cecilia Cedric Celia Celine Cemal Chantal Charlene Charles \
     Charlotte Chiamaka Chiara Chidi Chidinma Chijioke Chika Chinedu Chinwe Chioma Chloe Chloé Chris Christa Christelle \
     Christiane Christina Christine Christoph Christopher Chukwuemeka Ciara Cillian Cindy Claire Clara Clarissa Claudia \
     Clemens Clement Clémence Connor Conor Constanze Cora Corinna Corinne Cornelia Cornelius Craig Cristiano Cristina Cynthia \
     Cyril Dagmar Dagny Damian Damien Damilola Dana Daniel Daniela Danielle Danilo Danny Daria Dario Darius Darko Darren Dave \
     David Davide Dawit Deborah Deepa Deepak Deirdre Delphine Denis Denise Dennis Derek Desmond Detlef Devika Dhruv Diana \
     Diane Diego Dieter Dietmar Dietrich Dilara Dilip Dimitri Dina Dinesh Dirk Divya Diyar Dmitri Dolores Dominic Dominik \
     Dominika Dominique Donald Donatella Dora Doreen Doris Dorota Dorothea Dorothy Douglas Duncan Dylan Dörte Ebba Ebru \
     Eckhard Edda Edgar Edith Edmund Eduard Eduardo Edward Efua Egon Eike Eileen Einar Elaine Eleanor Elena Eleni Elias Elif \
     Elina Elisa Elisabeth Elise Elizabeth Elke Ella Ellen Ellie Elliot Elmar Elodie Eloise Elsa Elsbeth Elspeth Elvira Emeka \
     Emil Emilia Emiliano Emilie Emily Emma Emmanuel Emre Emrys Enrico Enrique Erdem Eric Erica Erich Erik Erin Ernesto Erwin \
     Esra Esther Ethan Etienne Eugenia Eunji Eva Eveline Evelyn Ewa Ezinne Fabian Fabienne Fabio Fabrice Fadi Faisal Farah \
     Farid Farida Fatima Fatma Fatou Federica Federico Felicia Felicitas Felix Femi Ferdinand Fernanda Fernando Filip Finn \
     Fiona Flavia Florian Folake Folasade Francesca Francesco Francis Francisco Franck Franka Franz Franziska François \
     Françoise Fred Freddie Frederic Frederica Frederick Frederik Freja Frida Frieda Friederike Friedrich Fritz Fumiko Gabriel \
     Gabriela Gabriele Gabriella Gail Ganesh Gareth Gary Gaurav Gavin Geert Geoffrey Georg George Georgina Georgios Gerald \
     Gerard Gerd Gerda Gerhard Gernot Gerrit Gertrud Ghislaine Giacomo Gianni Gideon Gina Giorgia Giorgio Giovanna Giovanni \
     Gisela Gitta Giulia Giulio Giuseppe Gordon Gottfried Graham Greg Gregor Gregory Greta Gretchen Grisha Grzegorz Gudrun Guido \
     Guillaume Guillermo Gunnar Gustav Gustavo Gwen Gwendolyn Gökhan Günter Günther Hakan Halima Hamid Hamza Hana Hanna Hannah \
     Hannelore Hannes Hans Hansjörg Harald Hari Harish Harold Harriet Harry Haruka Haruki Haruto Hasan Hassan Hatice Hector \
     Heidi Heike Heiko Heiner Heinrich Heinz Helen Helena Helene Helga Helmut Hendrik Henri Henrietta Henriette Henrik Henrike \
     Henry Herbert Heribert Hermann Hilary Hilda Hilde Hildegard Hiroko Hiroshi Holger Howard Hubert Hugo Humphrey Hussein Ian \
     Ibrahim Ibukun Ichiro Idris Iestyn Ieuan Ifeanyi Ifeoma Ignacio Igor Ikechukwu Ikenna Ilaria Ilka Ilona Ilse Imani Imogen \
     Imran Ines Inga Inge Ingeborg Ingo Ingrid Ioana Ioannis Irena Irene Irina Irmgard Isaac Isabel Isabell Isabella Isabelle \
     Isadora Ismail Isolde Ivan Ivana Ivo Iwona Jacek Jacqueline Jacques Jaime Jakob Jakub James Jamie Jana Jane Janet Janina \
     Janine Jannik Janusz Jaqueline Jaroslav Jarosław Jason Javier Jeanette Jeanne Jeff Jeffrey Jelena Jenna Jennifer Jenny \
     Jens Jeremy Jerome Jerzy Jesper Jessica Jette Jiang Jill Jim Jimena Jiro Joana Joanna Joanne Joaquín Jochen Joe Joel \
     Joelle Joerg Johan Johann Johanna Johannes John Johnny Jolanta Jonas Jonathan Jordi Jorge Josef Josefine Joseph Josephine \
     Joshua José Joyce João Juan Juana Juanita Judith Judy Juha Julia Julian Juliana Julianne Julie Julien Juliette Julius \
     Junko Justin Justyna Jutta Jörg Jürgen Kacper Kai Kaito Kalina Kamal Kamala Kamil Kamila Kapil Karen Karim Karin Karina \
     Karl Karolina Karsten Kaspar Katarina Katarzyna Kate Katharina Katherine Kathleen Kathrin Kathy Katie Katja Katrin \
     Katrina Kavita Kavya Kazimierz Kazuki Keanu Kehinde Keiko Keith Kelechi Kemal Ken Kenji Kenneth Kenta Kerstin Kevin \
     Khaled Khalid Kieran Kiran Kirsten Kirsty Kjell Klara Klaus Kofi Konrad Konstantin Kristian Kristin Kristina Kristine \
     Krystyna Krzysztof Kunal Kurt Kwabena Kwame Kyle Lakshmi Lamar Lara Larissa Larry Lars Lasse Latisha Laura Lauren \
     Laurence Leah Leandro Leif Leila Lena Leni Lennart Leo Leon Leona Leonard Leonardo Leonie Leonor Leopold Leszek Leticia \
     Liam Lidia Liesel Lilian Liliana Lilly Lina Linda Linh Linnea Linus Lisa Lisbeth Liselotte Livia Liz Ljubica Lorena \
     Lorenz Lorenzo Loretta Lorna Lothar Lotta Lotte Lottie Louis Louisa Louise Luca Lucas Lucia Luciana Luciano Lucie Lucien \
     Lucinda Lucy Ludmila Ludwig Luigi Luis Luisa Lukas Lukasz Luke Lutz Lydia Maarten Mabel Maciej Madeleine Mads Mafalda \
     Magda Magdalena Magnus Mahmoud Maike Maja Makoto Malcolm Malgorzata Malik Malin Malte Mamadou Manfred Manish Manon \
     Mansour Manuel Manuela Marc Marcel Marcela Marcella Marcin Marco Marcos Marcus Marek Margaret Margarete Margit Margot \
     Margrit Marguerite Maria Mariam Marian Mariana Marianne Marie Marieke Marietta Mario Marion Marisa Marisol Marit Maritta \
     Marius Marjolein Marko Markus Marlene Marlies Marta Marten Martha Martin Martina Martine Marwan Mary Maryam Masha Mateo \
     Mateusz Mathias Mathieu Mathilde Matilda Matteo Matthew Matthias Matthieu Matti Maud Maureen Maurice Mauricio Maurizio \
     Maximilian Maya Mayumi Meera Megan Mehdi Mehmet Meike Melanie Melchior Melina Meredith Merle Merve Mette Mia Michael \
     Michaela Michał Michel Michele Michelle Michiko Mickaël Miguel Mikael Mike Mikhail Mikkel Milan Milena Minh Miranda \
     Mirela Miriam Mirjam Mirko Miroslav Misaki Mitch Miyu Modupe Mohamed Mohammad Mohammed Mohan Moira Moises Monica Monika \
     Monique Moritz Morten Moses Mostafa Muhammad Mukesh Mustafa Myriam Mónica Nadia Nadine Nadja Naoko Naomi Nasrin Natalia \
     Natalie Natasha Nathalie Nathan Nathaniel Navid Neha Nele Nelson Nerys Ngozi Niamh Nicola Nicolas Nicole Niels Nigel \
     Nikhil Niklas Nikola Nikolai Nikos Nils Nina Nisha Nishant Nkechi Noah Nobuko Noelle Nora Norbert Noriko Nuno Nuria \
     Nwanneka Obinna Octavia Odette Olaf Oleg Oleksandr Olena Olga Oliver Olivia Olivier Olumide Oluwaseun Omar Omolara \
     Onyinye Oriol Orsolya Oskar Otto Oyelaran Oyinkansola Pablo Padraig Paloma Pamela Paola Paolo Parisa Parvati Patricia \
     Patrick Patrik Patrycja Paul Paula Paulina Pauline Pavel Paweł Pedro Peggy Penelope Percy Peter Petra Petros Philip \
     Philipp Philippa Philippe Phillip Phoebe Phuong Pia Pierre Pieter Pietro Pilar Piotr Pooja Prakash Pranav Praveen Preeti \
     Priya Priyanka Quentin Rachel Rachid Radek Rafael Raffaella Raghav Rahel Rahul Raimund Rainer Rajesh Rajiv Ralf Ralph \
     Ramesh Ramiro Ramon Ramona Randi Rania Rashid Rasmus Raul Ravi Raymond Rebecca Rebekka Regina Reinhard Reinhold Rekha \
     Renata Renate Renato René Reza Rhiannon Rhys Ricarda Ricardo Riccardo Richard Rieke Rita Ritu Robert Roberta Roberto \
     Rodrigo Rohan Rohit Roland Rolf Romain Romina Ronald Ronja Rosalia Rosalind Rosemarie Rosie Rosina Ross Roswitha Roxana \
     Ruben Rudolf Rupert Ruth Ryan Ryszard Rüdiger Saanvi Sabine Sabrina Sachin Sadia Saeed Sakura Salma Salman Salvatore \
     Samantha Sameer Samir Samira Samuel Sandeep Sandra Sandrine Sanjay Santiago Sara Sarah Sascha Saskia Satoshi Saul Sean \
     Sebastian Seema Selim Serena Sergei Sergio Serkan Seun Shabnam Shahid Shalini Shane Shannon Sharon Shashank Sheila Shirin \
     Shirley Shivani Shreya Sibylle Sidonie Siegfried Sigrid Silke Silvia Silvio Simon Simona Simone Sinead Siobhan Siobhán \
     Sipho Sjoerd Slawomir Snezana Sofia Sofie Solange Solveig Sonia Sonja Sophia Sophie Soraya Soren Stacey Stefan Stefania \
     Stefanie Steffen Stella Stephan Stephanie Stephen Steve Steven Stewart Stian Stuart Subhash Sulaiman Sumit Sunil Sunita \
     Suresh Susan Susana Susann Susanna Susanne Susie Suzanne Svantje Sven Svenja Svetlana Swantje Sybille Sylvia Sylvie \
     Szymon Søren Tabea Tadeusz Taiwo Takashi Takeshi Tamara Tamás Tania Tanja Tanya Tarek Tariq Taro Tarun Tasneem Tatiana \
     Tatjana Temitope Teresa Terje Terrence Tessa Thandiwe Thea Theo Theodor Theodora Theres Theresa Therese Thierry Thilo \
     Thomas Thorben Thorsten Tiago Tiffany Tilda Tim Timo Timothy Tina Tobias Toby Tom Tomas Tomasz Tomás Tomáš Tommy Tomoko Tony Torben \
     Torsten Tove Tracey Tristan Trond Trudy Trygve Tunde Tuğba Uche Uchenna Udo Ulf Ulla Ulrich Ulrika Ulrike Umar Umberto \
     Ursula Urszula Usha Ute Uwe Valentin Valentina Valeria Valerie Vanessa Varun Vasily Veena Venkat Vera Verena Veronica \
     Veronika Vicente Vicky Vijay Vikas Vikram Viktor Viktoria Vincent Vincenzo Violetta Virginie Vishal Vivek Vivian Vivienne \
     Vladimir Volker Waldemar Walter Waltraud Wanda Wangari Wanjiru Wendy Werner Wiebke Wieland Wilfried Wilhelm Wilhelmina \
     Willem William Wilma Winfried Winifred Wojciech Wolfgang Wolfram Xavier Xiang Ximena Yael Yamina Yannick Yara Yasmin \
     Yasmine Yaw Yetunde Yewande Yoko Yolanda Yosef Yoshi Yuki Yuko Yulia Yuri Yusuf Yuto Yvette Yvonne Zachary Zahra Zainab \
     Zara Zbigniew Zeynep Zoe Zofia Zoltan Zoé Zoë Zsófia Zuzana Alyosha Dima Katya Kolya Misha Nastya Olya Pasha Sasha Vanya Zhenya Ángel Åke Åsa Élodie Émilie Özge Øyvind Łukasz Śławek",
);

/// Whether a word is a first name.
pub(in crate::specifics) fn is_given(word: &str) -> bool {
    GIVEN.holds(word)
}
